-- conversation, expected routed seq, decision, ignored?, ... -> OK|BEHIND, work?
local expected = tonumber(ARGV[2])
check('in', 'dec')
local c = key('c')
local routed, last, cursor = numbers(c, 'routed', 'seq', 'cursor')
if routed ~= expected then return { 'BEHIND', 0 } end
local seq = expected + (#ARGV - 2) / 2
if seq > last then error({ err = 'ERR more decisions than events: ' .. seq .. ' of ' .. last }) end
local at = now()
local ignored, early = {}, {}
local consumed = redis.call('HGET', c, 'consumed')
for _, done in ipairs(split(consumed)) do early[done] = true end
for i = 3, #ARGV, 2 do
  local this = expected + (i - 1) / 2
  if ARGV[i + 1] == '1' or early[this] then ignored[#ignored + 1] = this else redis.call('HSET', key('dec'), this, ARGV[i]) end
end
redis.call('HSET', c, 'routed', seq)
redis.call('HDEL', c, 'looked')
if consumed or #ignored > 0 then cursor = consume(ignored, seq, cursor) end
if seq >= last then rest('route') end
if cursor >= seq then return { 'OK', 0 } end
wake('run', at)
if redis.call('EXISTS', key('lease')) == 1 then redis.call('PUBLISH', 'fl:signal', conv) end
return { 'OK', 1 }
