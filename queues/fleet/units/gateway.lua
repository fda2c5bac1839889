-- load -> session id, session, sequence | seen, '', cursor -> next cursor ('0': that was all), (channel, seen)...
-- open, session id, session, sequence
-- advance, session id, sequence, (channel, seen)... | forget, channels...
-- A session's sequence only rises, and only for the session that is stored: a process that lost its lease cannot turn it back.
local what, id = ARGV[1], ARGV[2]
local seen = KEYS[1] .. ':seen'
if what == 'load' then
  local found = redis.call('HMGET', KEYS[1], 'id', 'session', 'seq')
  return { found[1] or '', found[2] or '', found[3] or '0' }
elseif what == 'seen' then
  return redis.call('HSCAN', seen, ARGV[3], 'COUNT', 1000)
elseif what == 'open' then
  return redis.call('HSET', KEYS[1], 'id', id, 'session', ARGV[3], 'seq', ARGV[4])
elseif what == 'forget' then
  return redis.call('HDEL', seen, unpack(ARGV, 2))
end
for i = 4, #ARGV, 2 do redis.call('HSET', seen, ARGV[i], ARGV[i + 1]) end
if redis.call('HGET', KEYS[1], 'id') ~= id then return 0 end
if tonumber(ARGV[3]) > tonumber(redis.call('HGET', KEYS[1], 'seq')) then redis.call('HSET', KEYS[1], 'seq', ARGV[3]) end
return 1
