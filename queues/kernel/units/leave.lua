-- conversation, route or run, (owner, epoch)? -> OK: this process cannot read what is there, so that another one is to look. The longer it has
-- been due, the later; a start under this epoch, and a router's look, count for nothing.
local _, what, owner, epoch = unpack(ARGV)
local r, c, wakes, late, work = key('r'), key('c'), P .. 'wake', P .. 'late', what .. ':' .. conv
expect(late, 'zset')
if owner then
  local left = {}
  for _, start in ipairs(split(redis.call('HGET', r, 'starts'))) do
    if start ~= tonumber(epoch) then left[#left + 1] = start end
  end
  if redis.call('HGET', r, 'epoch') == epoch then
    redis.call('HSET', r, 'starts', table.concat(left, ','))
    redis.call('HDEL', r, 'held')
  end
  if redis.call('GET', key('lease')) == owner then redis.call('DEL', key('lease')) end
else
  redis.call('HDEL', c, 'looked')
end
local at = now()
local since = redis.call('ZSCORE', late, work) or redis.call('ZSCORE', wakes, work)
if since then
  redis.call('ZADD', late, 'NX', since, work)
  redis.call('ZADD', wakes, 'XX', whole(at + math.max(1000, math.min(60000, (at - since) / 8))), work)
end
return { 'OK' }
