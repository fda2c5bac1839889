-- Put after the prelude for units that write letters or give them out. A letter stands in its writer's partition until it is acknowledged: the
-- hash `l` of the conversation that wrote it holds what each says, by id, which is an event without its time; the list `to` of the
-- conversation that it is for, `<number> <writer> <id>` in the order of writing; and `letters` when each of these lists is to be looked
-- at. What stands only in the list is no letter any more. Numbers only rise in a partition: the last one stands in `lettered`.
local mostLetters, mostLetterBytes, mostInBox = 1000, 2097152, 6000
local function letterBox(target) return P .. 'to:' .. target end

local function readLetter(item)
  local number, from, id = string.match(item, '^(%d+) (%S+) (%S+)$')
  return tonumber(number), from, id
end

-- Takes out of a list what is no letter any more, as its writer was erased or what it was about is forgotten. Order stays.
local function sweepBox(box)
  local items, kept = redis.call('LRANGE', box, 0, -1), {}
  for _, item in ipairs(items) do
    local _, from, id = readLetter(item)
    if from and redis.pcall('HEXISTS', P .. 'l:' .. from, id) ~= 0 then kept[#kept + 1] = item end
  end
  if #kept == #items then return #kept end
  redis.call('DEL', box)
  for i = 1, #kept, 1000 do redis.call('RPUSH', box, unpack(kept, i, math.min(i + 999, #kept))) end
  return #kept
end

-- Refuses what would be too many, before anything is written.
local function expectRoomForLetters(letters)
  expect(P .. 'letters', 'zset')
  expect(P .. 'lettered', 'string')
  expect(key('l'), 'hash')
  local boxes = {}
  for i = 1, #letters, 3 do
    local box = letterBox(letters[i])
    expect(box, 'list')
    boxes[box] = (boxes[box] or 0) + 1
  end
  if not tonumber(redis.call('GET', P .. 'lettered') or '0') then error({ err = 'CORRUPT ' .. P .. 'lettered is no number' }) end
  local count = redis.call('HLEN', key('l'))
  local bytes = count >= 64 and redis.pcall('MEMORY', 'USAGE', key('l'), 'SAMPLES', 0) or 0
  if count + #letters / 3 > mostLetters or (type(bytes) == 'number' and bytes >= mostLetterBytes) then
    error({ err = 'ERR no conversation may have more than ' .. mostLetters .. ' letters or ' .. mostLetterBytes .. ' bytes of them on their way' })
  end
  for box, more in pairs(boxes) do
    if redis.call('LLEN', box) + more > mostInBox and sweepBox(box) + more > mostInBox then
      error({ err = 'ERR no more than ' .. mostInBox .. ' letters of a partition may be on their way to one conversation' })
    end
  end
end

-- By Redis' time, so that no number comes twice when the last moments are lost.
local function writeLetters(letters, at)
  local number = tonumber(redis.call('GET', P .. 'lettered') or '0')
  for i = 1, #letters, 3 do
    local target, id = letters[i], letters[i + 1]
    if redis.call('HSETNX', key('l'), id, letters[i + 2]) == 1 then
      number = math.max(number + 1, at * 1000)
      redis.call('RPUSH', letterBox(target), whole(number) .. ' ' .. conv .. ' ' .. id)
      redis.call('ZADD', P .. 'letters', 'NX', whole(at), target)
    end
  end
  redis.call('SET', P .. 'lettered', whole(number))
end
