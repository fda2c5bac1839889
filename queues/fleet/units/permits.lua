-- The fleet's permits for model calls: each is a member of `places`, scored with when it ends unless it is kept. Who waits for one waits
-- in its own process; Redis knows of each process and role only since when its first call waits (`waiting`) and until when that is
-- believed (`heard`), so a thousand waiting calls cost what one does. A role that the endpoint refused has a key `pause:<role>`.
-- Work in the background has a budget by name: its calls are members of `places:<name>` too, which holds an eighth of the permits at most,
-- and it pauses by a key of its own.
local permits, waiting, heard = KEYS[1] .. 'places', KEYS[1] .. 'waiting', KEYS[1] .. 'heard'
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)

local function pauseOf(role) return KEYS[1] .. 'pause:' .. role end
local function shareOf(name) return permits .. ':' .. name end

-- After a pause the first second lets 4 calls in, the next 12 more, then 48 …: a limit that still holds is met by few.
local slowStartMs = 5000

-- ms until calls of a role may begin, and else how many may begin now
local function openFor(role)
  local untilMs, begun = unpack(redis.call('HMGET', pauseOf(role), 'until', 'begun'))
  if not untilMs then return 0, math.huge end
  local sinceMs = at - tonumber(untilMs)
  if sinceMs < 0 then return -sinceMs, 0 end
  local room = 4 ^ (math.floor(sinceMs / 1000) + 1) - tonumber(begun)
  if room <= 0 then return 1000 - sinceMs % 1000, 0 end
  return 0, room
end

local function countFree(most, held)
  held = held or permits
  local free = most - redis.call('ZCARD', held)
  if free > 0 then return free end
  redis.call('ZREMRANGEBYSCORE', held, '-inf', at)
  return most - redis.call('ZCARD', held)
end

local function forgetSilent()
  for _, silent in ipairs(redis.call('ZRANGEBYSCORE', heard, '-inf', at)) do
    redis.call('ZREM', waiting, silent)
    redis.call('ZREM', heard, silent)
  end
end
