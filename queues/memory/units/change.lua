-- scope, number, JSON as it was read, JSON as it is to be, hash of its words -> 1, or 0 where it is another one by now
local number, words = ARGV[2], ARGV[5]
expectMemory()
if redis.call('HGET', key('mr'), number) ~= ARGV[3] then return 0 end
redis.call('HSET', key('mr'), number, ARGV[4])
local id, before = string.match(redis.call('HGET', key('mi'), '#' .. number) or '\n', '^([^\n]*)\n(.*)$')
if before ~= words then
  if redis.call('HGET', key('mi'), '=' .. before) == number then redis.call('HDEL', key('mi'), '=' .. before) end
  redis.call('HSETNX', key('mi'), '=' .. words, number)
  redis.call('HSET', key('mi'), '#' .. number, id .. '\n' .. words)
end
noteChange(number)
return 1
