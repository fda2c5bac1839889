-- scope, via, `to`, scope or '' -> where the scope leads then: one that leads elsewhere is not changed
-- scope, via, `of`, scope, text or '' -> 1: the records of that scope stand here from now on, or do not any more | 0: what accounts shared has ended for good
-- scope, via, `turn`, scope, '' -> the next turn of who moves the records of that scope
-- scope, via, `turn`, scope, turn -> 1: nobody with an earlier one moves them here from now on
-- All: MOVED, as in `memory.lua`; also where somebody has a later turn.
expectMemory()
local moved = elsewhere()
if moved then return moved end
local what, name, value = ARGV[3], ARGV[4], ARGV[5]
if what == 'turn' then
  local field = 'turn ' .. name
  if value == '' then return redis.call('HINCRBY', key('mc'), field, 1) end
  if tonumber(redis.call('HGET', key('mc'), field) or '0') > tonumber(value) then return { 'MOVED', '' } end
  redis.call('HSET', key('mc'), field, value)
  return 1
end
local t = redis.call('TIME')
redis.call('HSET', key('mc'), 'version', t[1] .. '.' .. t[2])
if what == 'of' then
  local isOfAccounts = string.find(conv, '^user:linked:')
  if value ~= '' and isOfAccounts and redis.call('HGET', key('mc'), 'ended') == '1' then return 0 end
  if value == '' then redis.call('HDEL', key('mc'), 'of ' .. name) else redis.call('HSET', key('mc'), 'of ' .. name, value) end
  -- What nobody shares any more goes once all that comes late has come.
  local sharers = 0
  for _, field in ipairs(redis.call('HKEYS', key('mc'))) do
    if string.sub(field, 1, 3) == 'of ' then sharers = sharers + 1 end
  end
  if sharers > 0 then redis.call('PERSIST', key('mc')) else redis.call('PEXPIRE', key('mc'), goneMs) end
  -- Once two have shared it, a worker that wakes up late shares it with nobody anew.
  if isOfAccounts and sharers > 1 then redis.call('HSET', key('mc'), 'ended', 0) end
  if sharers == 0 and redis.call('HEXISTS', key('mc'), 'ended') == 1 then redis.call('HSET', key('mc'), 'ended', 1) end
  return 1
end
if name == '' then redis.call('HDEL', key('mc'), 'to') else redis.call('HSETNX', key('mc'), 'to', name) end
return redis.call('HGET', key('mc'), 'to') or ''
