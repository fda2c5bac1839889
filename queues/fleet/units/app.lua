-- What all processes share of an app's account on a platform, in one hash, with Redis' time.
-- find -> token, ms left (0: none) | lead, owner, ms -> 1 when this owner may get the next token | put, owner, token, ms
-- count, month, calls -> calls of the month | calls, month -> calls of the month
local what, id = ARGV[1], ARGV[2]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function number(field) return tonumber(redis.call('HGET', KEYS[1], field) or '0') or 0 end

if what == 'find' then
  return { redis.call('HGET', KEYS[1], 'token') or '', math.max(0, number('until') - now) }
elseif what == 'lead' then
  local leader = redis.call('HGET', KEYS[1], 'leader')
  if leader and leader ~= id and number('leads') > now then return 0 end
  redis.call('HSET', KEYS[1], 'leader', id, 'leads', string.format('%.0f', now + tonumber(ARGV[3])))
  return 1
elseif what == 'put' then
  redis.call('HSET', KEYS[1], 'token', ARGV[3], 'until', string.format('%.0f', now + tonumber(ARGV[4])))
  if redis.call('HGET', KEYS[1], 'leader') == id then redis.call('HDEL', KEYS[1], 'leader', 'leads') end
  return 1
end
-- A month that begins forgets the one before: nobody asks for it any more.
if redis.call('HGET', KEYS[1], 'month') ~= id then
  if what == 'calls' then return 0 end
  -- A process whose clock is behind does not begin the old month anew.
  if (redis.call('HGET', KEYS[1], 'month') or '') > id then return 0 end
  redis.call('HSET', KEYS[1], 'month', id, 'calls', 0)
end
if what == 'calls' then return number('calls') end
return redis.call('HINCRBY', KEYS[1], 'calls', ARGV[3])
