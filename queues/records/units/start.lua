-- '', reader -> where it has read to, how often somebody has begun with what comes next, 0 where nothing does
-- Who ends before it has passed that line has begun with it all the same, so that what ends its reader each time is known.
expect(P .. 'readers', 'hash')
local reader = ARGV[2]
local after = redis.call('HGET', P .. 'readers', reader) or '0-0'
if not redis.call('XRANGE', P .. 'records', '(' .. after, '+', 'COUNT', 1)[1] then return { after, 0 } end
return { after, redis.call('HINCRBY', P .. 'readers', reader .. '/starts', 1) }
