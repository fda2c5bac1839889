-- What is known of how a person is asked: a text with a version, which goes when it is not written for long.
-- find -> version, text | write, version that was found, text -> 1 | 0: somebody else wrote meanwhile
local keepMs = 400 * 86400000
if ARGV[1] == 'find' then
  local found = redis.call('HMGET', KEYS[1], 'version', 'text')
  return { found[1] or '', found[2] or '' }
end
if (redis.call('HGET', KEYS[1], 'version') or '') ~= ARGV[2] then return 0 end
-- By time: a count could come to the same number twice where Redis lost its last second.
local t = redis.call('TIME')
redis.call('HSET', KEYS[1], 'version', t[1] .. '.' .. t[2], 'text', ARGV[3])
redis.call('PEXPIRE', KEYS[1], keepMs)
return 1
