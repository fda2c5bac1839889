-- prefix; role or name of a budget, who, pause ms, people -> 1 when it pauses now
-- Too many requests, says the endpoint. One person's call may be too large by itself; when those of so many people were refused within ten
-- seconds, the limit is everybody's.
local role, who, ms, people = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local withinMs = 10000
local refused = KEYS[1] .. 'refused:' .. role
redis.call('ZADD', refused, at, who)
redis.call('ZREMRANGEBYSCORE', refused, '-inf', at - withinMs)
redis.call('PEXPIRE', refused, withinMs)
if redis.call('ZCARD', refused) < people then return 0 end
redis.call('DEL', refused)
-- A shorter wait asked of another worker does not end a longer one.
local pause = pauseOf(role)
local untilMs = math.max(at + ms, tonumber(redis.call('HGET', pause, 'until') or '0'))
redis.call('HSET', pause, 'until', string.format('%.0f', untilMs), 'begun', 0)
redis.call('PEXPIREAT', pause, string.format('%.0f', untilMs + slowStartMs))
return 1
