-- conversation, owner, epoch, force -> RELEASED | MORE | FENCED
local _, owner, epoch, force = unpack(ARGV)
local r, c = key('r'), key('c')
if redis.call('HGET', r, 'epoch') ~= epoch then return 'FENCED' end
local cursor, routed = numbers(c, 'cursor', 'routed')
local more = cursor < routed
local holds = redis.call('GET', key('lease')) == owner
-- A lease that ran out, or that a lost call gave back already, is not promised again.
if more and force ~= '1' then return holds and 'MORE' or 'FENCED' end
if holds then redis.call('DEL', key('lease')) end
redis.call('HDEL', r, 'aHead', 'starts', 'excused', 'held')
if not more then rest('run') end
return more and 'MORE' or 'RELEASED'
