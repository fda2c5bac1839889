-- prefix; process, role, name of a budget or '', most calls, hold ms, believe ms,
--   then for each call that waits there, longest first: call, ms it has waited
--   -> how many of the first got a permit, ms to wait where none may begin, else 0
-- First come, first served in the whole fleet: a permit goes to a call only while no other process has one that waits longer. What is done in the
-- background holds up nobody: it begins only where nobody waits, waits for the pauses of its role too, and is not known to wait itself.
local process, role, name = ARGV[1], ARGV[2], ARGV[3]
local most, holdMs, believeMs = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local me = role .. ' ' .. process
forgetSilent()
local waitMs, room = openFor(role)
local free = math.min(countFree(most), room)
local before = math.huge
local ownMs, ownRoom = 0, math.huge
if name ~= '' then
  ownMs, ownRoom = openFor(name)
  waitMs = math.max(waitMs, ownMs)
  free = math.min(free, ownRoom, countFree(math.max(1, math.floor(most / 8)), shareOf(name)))
  if redis.call('EXISTS', waiting) == 1 then free = 0 end
end
for _, other in ipairs(redis.call('ZRANGE', waiting, 0, 1)) do
  if other ~= me then before = math.min(before, tonumber(redis.call('ZSCORE', waiting, other))) end
end

local granted, begun, first = 0, 0, nil
for n = 7, #ARGV, 2 do
  local call, since = ARGV[n], at - tonumber(ARGV[n + 1])
  -- One that has a permit keeps it: the reply to an earlier asking may have been lost.
  local has = redis.call('ZSCORE', permits, call)
  if not has and (free <= begun or since > before) then
    first = since
    break
  end
  redis.call('ZADD', permits, at + holdMs, call)
  if name ~= '' then redis.call('ZADD', shareOf(name), at + holdMs, call) end
  granted = granted + 1
  if not has then begun = begun + 1 end
end
if begun > 0 and room < math.huge then redis.call('HINCRBY', pauseOf(role), 'begun', begun) end
if begun > 0 and ownRoom < math.huge then redis.call('HINCRBY', pauseOf(name), 'begun', begun) end
if name ~= '' then return { granted, waitMs } end
-- Who may not begin holds up nobody else.
if first and waitMs == 0 then
  redis.call('ZADD', waiting, first, me)
  redis.call('ZADD', heard, at + believeMs, me)
else
  redis.call('ZREM', waiting, me)
  redis.call('ZREM', heard, me)
end
return { granted, waitMs }
