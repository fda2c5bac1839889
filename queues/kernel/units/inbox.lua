-- conversation, limit, after how many ms a look that routed nothing counts as lost, or -1 to count none, all or none?
-- -> routed seq, previous reply, looks or -1 where none is given, how many cards words may answer, seq, event, ... ; empty when parked
if parked() then return { 0, '', 0, 0 } end
local limit, lostAfter = tonumber(ARGV[2]), tonumber(ARGV[3])
local c = key('c')
local routed, _, seq, _, looked = counters('looked')
-- `looked` is the first unrouted seq, how many looks at it count, and when the last of them began; routing empties it.
local head, looks, since = string.match(looked or '', '^(%d+) (%d+) (%d+)$')
local isLost = tonumber(head) == routed + 1 and seq > routed and now() - since >= lostAfter
-- After a look that was lost few are to be made at once, so that those beside a text which ends its router are not taken for it.
if ARGV[4] == '1' and (isLost or seq > routed + limit) then return { routed, '', -1, 0 } end
local flat = { routed, redis.call('HGET', key('r'), 'reply') or '', 0, 0 }
local wanted = {}
for s = routed + 1, math.min(seq, routed + limit) do wanted[#wanted + 1] = s end
if #wanted == 0 then
  rest('route')
  return flat
end
taken('route')
flat[4] = redis.call('HLEN', key('cards'))
local events = redis.call('HMGET', key('in'), unpack(wanted))
for i, s in ipairs(wanted) do
  if not events[i] then error({ err = 'CORRUPT ' .. key('in') .. ' has no event ' .. s }) end
  flat[#flat + 1] = s
  flat[#flat + 1] = events[i]
end
if lostAfter >= 0 then
  local at = now()
  if tonumber(head) ~= wanted[1] then looks, since = 0, 0 end
  if at - since >= lostAfter then
    looks, since = looks + 1, at
    redis.call('HSET', c, 'looked', string.format('%.0f %.0f %.0f', wanted[1], looks, at))
  end
  flat[3] = tonumber(looks)
end
return flat
