-- Put after the prelude for units on the records of one scope, which stands where others have a conversation. `mr` has each record's JSON by its
-- number; `mi` leads from ids and from hashes of words to numbers, and from each number (`#<number>`) back to both; `mc` counts. `mg` has ids of
-- records that were taken away, so that what comes late does not bring them back. The partition's stream `changed` names what an index is to read again.
local mostGone, goneMs = 2000, 7 * 86400000
local function expectMemory()
  expect(key('mr'), 'hash')
  expect(key('mi'), 'hash')
  expect(key('mc'), 'hash')
  expect(key('mg'), 'zset')
  expect(P .. 'changed', 'stream')
  expect(P .. 'scopes', 'hash')
end
local mostChanges = 20000
local function noteChange(number)
  redis.call('HINCRBY', key('mc'), 'version', 1)
  redis.call('XADD', P .. 'changed', 'MAXLEN', '~', mostChanges, '*', 'l', conv .. ' ' .. number)
  local count = redis.call('HLEN', key('mr'))
  if count > 0 then redis.call('HSET', P .. 'scopes', conv, count) else redis.call('HDEL', P .. 'scopes', conv) end
end
local function takeAway(number, at)
  local led = redis.call('HGET', key('mi'), '#' .. number)
  local had = redis.call('HDEL', key('mr'), number)
  if led then
    local id, words = string.match(led, '^([^\n]*)\n(.*)$')
    redis.call('HDEL', key('mi'), '#' .. number, '@' .. id)
    if redis.call('HGET', key('mi'), '=' .. words) == number then redis.call('HDEL', key('mi'), '=' .. words) end
    redis.call('ZADD', key('mg'), whole(at), id)
  end
  if had == 1 then noteChange(number) end
  return had
end
local function trimGone(at)
  redis.call('ZREMRANGEBYSCORE', key('mg'), '-inf', whole(at - goneMs))
  redis.call('ZREMRANGEBYRANK', key('mg'), 0, -mostGone - 1)
  redis.call('PEXPIRE', key('mg'), goneMs)
end
