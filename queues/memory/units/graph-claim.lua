-- conversation, who spoke, line, how many lines are looked at together -> 1: look now | 0: a later line's turn comes | -1: too many followed
-- A line that nothing followed takes the number of the last of its group, so that it is looked at again if its process dies.
local at, line, together = key('gp') .. ':' .. ARGV[2], ARGV[3], tonumber(ARGV[4])
expect(at, 'zset')
local number = tonumber(redis.call('ZSCORE', at, line) or '')
if not number then return redis.call('EXISTS', at) == 1 and -1 or 1 end
if number % together == 0 then return 1 end
if redis.call('ZREVRANGE', at, 0, 0)[1] ~= line then return 0 end
redis.call('ZADD', at, whole(math.ceil(number / together) * together), line)
return 1
