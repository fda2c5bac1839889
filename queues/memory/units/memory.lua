-- Put after the prelude for units on the records of one scope, which stands where others have a conversation. `mr` has each record's JSON by its
-- number. `ms` has its words by its number, each as a hash of four signs. `mi` leads from ids (`@<id>`) to numbers, from each number (`#<number>`) to its id
-- and its slot, and from slots (`%<slot>`), which hold one value at a time, to the newest numbers in them. `mc` counts. `mg` has ids of records that were
-- taken away, so that what comes late does not bring them back. The partition's `fading` has until when records stand that nobody confirmed. Its stream
-- `changed` names what an index is to read again.
-- A person's accounts may share one scope, and chats of a project, too. That of each then leads there by `to` in its `mc`, and the shared one has `of <scope>` in its own. A unit
-- is told behind the scope for which other one it is called: `-` for none; `!` changes records wherever they stand; `!<scope> <turn>` moves those of that
-- scope, and does nothing any more once somebody with a later turn does so.
local mostGone, goneMs = 2000, 7 * 86400000
local function expectMemory()
  expect(key('mr'), 'hash')
  expect(key('ms'), 'hash')
  expect(key('mi'), 'hash')
  expect(key('mc'), 'hash')
  expect(key('mg'), 'zset')
  expect(P .. 'changed', 'stream')
  expect(P .. 'scopes', 'hash')
  expect(P .. 'fading', 'zset')
end
-- Undefined where the records of whom it is called for stand here; else what the caller is told.
local function elsewhere()
  local via = ARGV[2]
  if via == '!' then return nil end
  local mover, turn = string.match(via, '^!(.+) (%d+)$')
  if mover then return redis.call('HGET', key('mc'), 'turn ' .. mover) ~= turn and { 'MOVED', '' } or nil end
  if via ~= '-' then return redis.call('HEXISTS', key('mc'), 'of ' .. via) == 0 and { 'MOVED', '' } or nil end
  local to = redis.call('HGET', key('mc'), 'to')
  return to and { 'MOVED', to } or nil
end
local mostChanges = 20000
local function noteChange(number)
  -- By time: a count could come to the same number twice where Redis lost its last second, and who knew the first would miss the second.
  local t = redis.call('TIME')
  redis.call('HSET', key('mc'), 'version', t[1] .. '.' .. t[2])
  -- What somebody is to be asked is in no index.
  if string.sub(conv, 1, 4) == 'ask:' then return end
  redis.call('XADD', P .. 'changed', 'MAXLEN', '~', mostChanges, '*', 'l', conv .. ' ' .. number)
  local count = redis.call('HLEN', key('mr'))
  if count > 0 then redis.call('HSET', P .. 'scopes', conv, count) else redis.call('HDEL', P .. 'scopes', conv) end
end

local mostMates = 20
local function toIdAndSlot(number) return string.match(redis.call('HGET', key('mi'), '#' .. number) or '', '^([^\n]*)\n(.*)$') end
-- The newest numbers in a slot, the oldest first, without one.
local function readMates(slot, but)
  local mates = {}
  if not slot or slot == '' then return mates end
  for number in string.gmatch(redis.call('HGET', key('mi'), '%' .. slot) or '', '%d+') do
    if number ~= but then mates[#mates + 1] = number end
  end
  return mates
end
local function writeMates(slot, mates)
  if not slot or slot == '' then return end
  if #mates == 0 then return redis.call('HDEL', key('mi'), '%' .. slot) end
  redis.call('HSET', key('mi'), '%' .. slot, table.concat(mates, ' ', math.max(1, #mates - mostMates + 1)))
end
local function place(number, id, words, slot)
  local _, before = toIdAndSlot(number)
  if before ~= slot then
    writeMates(before, readMates(before, number))
    local mates = readMates(slot, number)
    mates[#mates + 1] = number
    writeMates(slot, mates)
  end
  redis.call('HSET', key('mi'), '@' .. id, number, '#' .. number, id .. '\n' .. slot)
  redis.call('HSET', key('ms'), number, words)
end

-- A record that nobody confirmed stands for 30 days from when it was said, and for 23 from when it was written at least: readers are at most seven days
-- behind as a rule, and an earlier time comes of a clock that is wrong, as a time to come does.
local fadeMs, mostLateMs = 30 * 86400000, 7 * 86400000
local function setFading(number, said)
  if said == '' then return redis.call('ZREM', P .. 'fading', conv .. ' ' .. number) end
  redis.call('ZADD', P .. 'fading', whole(math.max(math.min(tonumber(said), now()), now() - mostLateMs) + fadeMs), conv .. ' ' .. number)
end

-- Of the scope's records at most eight whose words are mostly the same, the likest first: of all words of both at least four in five are in both.
-- With `n` and `size` words that is where 9 times the shared ones are at least 4 times n + size.
local mostLike = 8
local function findLike(words)
  local own, size, found = {}, #words / 4, {}
  for i = 1, #words, 4 do own[string.sub(words, i, i + 3)] = true end
  local all = redis.call('HGETALL', key('ms'))
  for i = 2, #all, 2 do
    local other, n = all[i], #all[i] / 4
    local wanted = math.ceil(4 * (size + n) / 9)
    local spare = wanted > size and -1 or n - wanted
    for j = 1, #other, 4 do
      if spare < 0 then break end
      if not own[string.sub(other, j, j + 3)] then spare = spare - 1 end
    end
    if spare >= 0 then found[#found + 1] = { all[i - 1], (wanted + spare) / (size + n - wanted - spare) } end
  end
  table.sort(found, function(a, b)
    if a[2] ~= b[2] then return a[2] > b[2] end
    return tonumber(a[1]) > tonumber(b[1])
  end)
  local numbers = {}
  for i = 1, math.min(mostLike, #found) do numbers[i] = found[i][1] end
  return numbers
end

-- What the caller has to know before it writes: undefined where it has seen just this and its changes of others (number, JSON as it was read, JSON as it
-- is to be) still hold, from `ARGV[from]` on.
local function look(like, mates, seen, from)
  local is = table.concat(like, ',') .. ';' .. table.concat(mates, ',')
  local holds = is == seen
  for i = from, #ARGV, 3 do holds = holds and redis.call('HGET', key('mr'), ARGV[i]) == ARGV[i + 1] end
  if holds then return nil end
  local answer = { 'LOOK', is, #like }
  for _, numbers in ipairs({ like, mates }) do
    for _, number in ipairs(numbers) do answer[#answer + 1] = redis.call('HGET', key('mr'), number) or '' end
  end
  return answer
end
local function changeOthers(from)
  for i = from, #ARGV, 3 do
    redis.call('HSET', key('mr'), ARGV[i], ARGV[i + 2])
    noteChange(ARGV[i])
  end
end

-- What took the place of others goes: they hold again, or stand behind what took its own place. Within a text each quotation mark of JSON has a
-- backslash before it, so these patterns meet none.
local function reopen(number, slot, json)
  local heir = string.match(json, ',"supersededBy":(%d+)')
  local validTo = string.match(json, ',"validTo":(%-?%d+)')
  local mates = readMates(slot, number)
  for id in string.gmatch(string.match(json, ',"merged":%[([^%]]*)%]') or '', '[^",]+') do
    local merged = redis.call('HGET', key('mi'), '@' .. id)
    if merged then mates[#mates + 1] = merged end
  end
  for _, mate in ipairs(mates) do
    local other = redis.call('HGET', key('mr'), mate)
    if other and string.match(other, ',"supersededBy":(%d+)') == number then
      other = string.gsub(other, ',"supersededBy":%d+', heir and (',"supersededBy":' .. heir) or '', 1)
      other = string.gsub(other, ',"validTo":%-?%d+', heir and validTo and (',"validTo":' .. validTo) or '', 1)
      redis.call('HSET', key('mr'), mate, other)
      noteChange(mate)
    end
  end
end
-- Without `at` its id may come back.
local function takeAway(number, at)
  local id, slot = toIdAndSlot(number)
  local json = redis.call('HGET', key('mr'), number)
  redis.call('HDEL', key('mr'), number)
  redis.call('HDEL', key('ms'), number)
  setFading(number, '')
  if id then
    redis.call('HDEL', key('mi'), '#' .. number, '@' .. id)
    writeMates(slot, readMates(slot, number))
    if at then redis.call('ZADD', key('mg'), whole(at), id) end
  end
  if not json then return 0 end
  reopen(number, slot, json)
  noteChange(number)
  return 1
end
local function trimGone(at)
  redis.call('ZREMRANGEBYSCORE', key('mg'), '-inf', whole(at - goneMs))
  redis.call('ZREMRANGEBYRANK', key('mg'), 0, -mostGone - 1)
  redis.call('PEXPIRE', key('mg'), goneMs)
end
