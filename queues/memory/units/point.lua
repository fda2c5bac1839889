-- conversation, scope, id of a record, message... -> 1 | 0: one of these messages is forgotten
-- It is called before the record is written, so that whatever is written is found when its message is forgotten.
local mostPointers = 50000
local scope, id = ARGV[2], ARGV[3]
expect(key('mf'), 'zset')
expect(key('mt'), 'zset')
for i = 4, #ARGV do
  if redis.call('ZSCORE', key('mt'), ARGV[i]) then return 0 end
end
if redis.call('ZCARD', key('mf')) + #ARGV - 3 > mostPointers then return -1 end
for i = 4, #ARGV do redis.call('ZADD', key('mf'), 0, ARGV[i] .. '\n' .. scope .. '\n' .. id) end
return 1
