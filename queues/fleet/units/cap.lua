-- key; enter|keep|leave|pause, holder, most, ttl ms or pause ms -> OK | WAIT, ms : how many model calls the whole fleet makes at once
local action, holder, most, ms = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local name = KEYS[1]
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
if action == 'leave' then
  redis.call('ZREM', name, holder)
  return { 'OK', 0 }
end
if action == 'keep' then
  redis.call('ZADD', name, at + ms, holder)
  return { 'OK', 0 }
end
if action == 'pause' then
  -- A shorter wait asked of another worker does not end a longer one.
  if redis.call('PTTL', name .. ':pause') < ms then redis.call('SET', name .. ':pause', at + ms, 'PX', ms) end
  return { 'OK', 0 }
end
local paused = redis.call('PTTL', name .. ':pause')
if paused > 0 then return { 'WAIT', paused } end
if redis.call('ZSCORE', name, holder) then return { 'OK', 0 } end
redis.call('ZREMRANGEBYSCORE', name, '-inf', at)
if redis.call('ZCARD', name) >= most then return { 'WAIT', 100 } end
redis.call('ZADD', name, at + ms, holder)
return { 'OK', 0 }
