-- conversation, owner, ttl -> HELD | CLAIMED, epoch, snapshot, attempts, routed, stops, tail, pending
local _, owner, ttl = unpack(ARGV)
if parked() then return { 'PARKED', redis.call('HGET', P .. 'parked', conv) } end
for name, kind in pairs({ c = 'hash', ['in'] = 'hash', dec = 'hash', r = 'hash', j = 'stream', x = 'hash', lease = 'string' }) do
  expect(key(name), kind)
end
local holder = redis.call('GET', key('lease'))
if holder and holder ~= owner then return { 'HELD' } end
local r, c = key('r'), key('c')
local snapSeq, jseq = number(r, 'snapSeq'), number(r, 'jseq')
local routed = number(c, 'routed')
local tail = redis.call('XRANGE', key('j'), (snapSeq + 1) .. '-0', '+')
local flat = {}
for i, entry in ipairs(tail) do
  if entry[1] ~= (snapSeq + i) .. '-0' then error({ err = 'CORRUPT ' .. key('j') .. ' has a gap at ' .. (snapSeq + i) }) end
  flat[#flat + 1] = snapSeq + i
  flat[#flat + 1] = entry[2][4]
end
if snapSeq + #tail ~= jseq then error({ err = 'CORRUPT ' .. key('j') .. ' ends at ' .. (snapSeq + #tail) .. ', not ' .. jseq }) end
if #tail > 0 and redis.call('EXISTS', key('x')) == 0 then error({ err = 'CORRUPT ' .. key('x') .. ' is missing' }) end
local pending = waiting(number(c, 'cursor'), routed, 200)
local at = now()
local epoch = math.max(number(r, 'epoch') + 1, at)
redis.call('SET', key('lease'), owner, 'PX', ttl)
local head = pending[1] or 0
local attempts = number(r, 'aHead') == head and number(r, 'aCount') + 1 or 1
redis.call('HSET', r, 'epoch', string.format('%.0f', epoch), 'aHead', head, 'aCount', attempts)
if #pending == 0 then rest('run') end
return { 'CLAIMED', epoch, redis.call('HGET', r, 'snap') or '', attempts, routed, stops(), flat, pending }
