-- conversation, limit -> routed seq, previous reply, seq, event, ... ; empty when parked
if parked() then return { 0, '' } end
local limit = tonumber(ARGV[2])
local c = key('c')
local routed, seq = numbers(c, 'routed', 'seq')
local flat = { routed, redis.call('HGET', c, 'reply') or '' }
local wanted = {}
for s = routed + 1, math.min(seq, routed + limit) do wanted[#wanted + 1] = s end
if #wanted == 0 then
  rest('route')
  return flat
end
local events = redis.call('HMGET', key('in'), unpack(wanted))
for i, s in ipairs(wanted) do
  if not events[i] then error({ err = 'CORRUPT ' .. key('in') .. ' has no event ' .. s }) end
  flat[#flat + 1] = s
  flat[#flat + 1] = events[i]
end
return flat
