-- conversation, expected routed seq, decision, ignored?, ... -> OK|BEHIND, work?
local expected = tonumber(ARGV[2])
expect(key('c'), 'hash')
expect(key('dec'), 'hash')
local c = key('c')
if number(c, 'routed') ~= expected then return { 'BEHIND', 0 } end
local at = now()
local ignored, done = {}, {}
for _, early in ipairs(split(redis.call('HGET', c, 'consumed'))) do done[early] = true end
local consumedTo = number(c, 'cursor')
local seq = expected
for i = 3, #ARGV, 2 do
  seq = seq + 1
  if seq <= consumedTo or done[seq] then redis.call('HDEL', key('in'), seq) elseif ARGV[i + 1] == '1' then ignored[#ignored + 1] = seq else redis.call('HSET', key('dec'), seq, ARGV[i]) end
end
if seq > number(c, 'seq') then error({ err = 'CORRUPT more decisions than events in ' .. conv }) end
redis.call('HSET', c, 'routed', seq)
local cursor = consume(ignored, seq, at)
if seq >= number(c, 'seq') then rest('route') end
if cursor >= seq then return { 'OK', 0 } end
wake('run', at)
if redis.call('EXISTS', key('lease')) == 1 then redis.call('PUBLISH', 'fl:signal', conv) end
return { 'OK', 1 }
