-- conversation, who spoke, line, how many lines are looked at together -> 1: it is the last of so many | 0
-- `gp` has the lines of one speaker of a conversation with their numbers; those whose number is a multiple of so many are looked at.
local at, line, together = key('gp') .. ':' .. ARGV[2], ARGV[3], tonumber(ARGV[4])
local mostLines, keepMs = 150, 86400000
expect(at, 'zset')
local number = tonumber(redis.call('ZSCORE', at, line) or '')
if not number then
  number = tonumber(redis.call('ZREVRANGE', at, 0, 0, 'WITHSCORES')[2] or '0') + 1
  redis.call('ZADD', at, number, line)
  redis.call('ZREMRANGEBYRANK', at, 0, -mostLines - 1)
end
redis.call('PEXPIRE', at, keepMs)
return number % together == 0 and 1 or 0
