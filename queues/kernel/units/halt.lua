-- conversation, principal, key of an event or empty -> OK: what this principal had begun before that event, or before now, is stopped. It leaves no event,
-- so it lies between two.
local _, principal, spared = unpack(ARGV)
expect(key('stop'), 'hash')
if redis.call('EXISTS', key('c')) == 0 then return { 'OK' } end
local known = spared ~= '' and seen(spared)
local before = redis.call('HGET', key('stop'), principal)
local at = known and known - 0.5 or numbers(key('c'), 'seq') + 0.5
redis.call('HSET', key('stop'), principal, math.max(at, tonumber(before) or 0))
signal()
return { 'OK' }
