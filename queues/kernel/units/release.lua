-- conversation, owner, epoch, force -> RELEASED | MORE | FENCED
local _, owner, epoch, force = unpack(ARGV)
local r, c = key('r'), key('c')
if redis.call('HGET', r, 'epoch') ~= epoch then return 'FENCED' end
local more = number(c, 'cursor') < number(c, 'routed')
if more and force ~= '1' then return 'MORE' end
if redis.call('GET', key('lease')) == owner then redis.call('DEL', key('lease')) end
redis.call('HDEL', r, 'aHead', 'aCount')
if not more then
  rest('run')
  return 'RELEASED'
end
return 'MORE'
