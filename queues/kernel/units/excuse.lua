-- conversation, epoch, lost?, (owner, put off for ms)? -> OK: the start under this epoch counts no more, since its process lives
local _, epoch, lost, owner, forMs = unpack(ARGV)
local mostLost = 50
local r = key('r')
local counted, left = false, {}
for _, start in ipairs(split(redis.call('HGET', r, 'starts'))) do
  if start == tonumber(epoch) then counted = true else left[#left + 1] = start end
end
-- An event that stops its process for longer than a lease, again and again, is no outage.
if counted and (lost == '0' or redis.call('HINCRBY', r, 'excused', 1) <= mostLost) then
  redis.call('HSET', r, 'starts', table.concat(left, ','))
end
if owner and redis.call('GET', key('lease')) == owner then
  redis.call('DEL', key('lease'))
  redis.call('HDEL', r, 'held')
  redis.call('ZADD', P .. 'wake', 'XX', whole(now() + forMs), 'run:' .. conv)
end
return { 'OK' }
