-- '' -> whether more are due, how many lists cannot be read, Redis' time, (target, number, id, what it says)...
-- The first letters to each conversation that has some here, in the order of writing: a hundred, fifty to one conversation and a megabyte at
-- most. They stay until they are acknowledged.
local at, brokenAgainMs = now(), 60000
local most, mostToOne, mostBytes = 100, 50, 1048576
local due = redis.call('ZRANGEBYSCORE', P .. 'letters', '-inf', whole(at), 'LIMIT', 0, most)

local flat, bytes = { 0, 0, whole(at) }, 0
local function hasRoom() return #flat < 3 + 4 * most and bytes < mostBytes end

local function giveOut(target)
  local box, taken = letterBox(target), 0
  for _, item in ipairs(redis.call('LRANGE', box, 0, mostToOne - 1)) do
    local number, from, id = readLetter(item)
    -- What a broken key of its writer's hid is no letter any more, and hides nothing of others.
    local says = number and redis.pcall('HGET', P .. 'l:' .. from, id)
    if type(says) ~= 'string' then
      if taken == 0 then redis.call('LPOP', box) end
    elseif hasRoom() then
      taken, bytes = taken + 1, bytes + #says
      for _, part in ipairs({ target, whole(number), id, says }) do flat[#flat + 1] = part end
    else
      return true
    end
  end
  if redis.call('EXISTS', box) == 0 then redis.call('ZREM', P .. 'letters', target) end
  return redis.call('LLEN', box) > taken
end

local more = #due == most
for _, target in ipairs(due) do
  if not hasRoom() then
    more = true
    break
  end
  local isFine, left = pcall(giveOut, target)
  if not isFine then
    redis.call('ZADD', P .. 'letters', 'XX', whole(at + brokenAgainMs), target)
    flat[2] = flat[2] + 1
  end
  more = more or left == true
end
flat[1] = more and 1 or 0
return flat
