-- scope, `to`, scope or '' -> where the scope leads then: one that leads elsewhere is not changed
-- scope, `of`, scope, text or '' -> 1: the records of that scope stand here from now on, or do not any more
expectMemory()
local what, name, value = ARGV[2], ARGV[3], ARGV[4]
local t = redis.call('TIME')
redis.call('HSET', key('mc'), 'version', t[1] .. '.' .. t[2])
if what == 'of' then
  if value == '' then redis.call('HDEL', key('mc'), 'of ' .. name) else redis.call('HSET', key('mc'), 'of ' .. name, value) end
  -- What nobody shares any more goes once all that comes late has come.
  local isShared = false
  for _, field in ipairs(redis.call('HKEYS', key('mc'))) do isShared = isShared or string.sub(field, 1, 3) == 'of ' end
  if isShared then redis.call('PERSIST', key('mc')) else redis.call('PEXPIRE', key('mc'), goneMs) end
  return 1
end
if name == '' then redis.call('HDEL', key('mc'), 'to') else redis.call('HSETNX', key('mc'), 'to', name) end
return redis.call('HGET', key('mc'), 'to') or ''
