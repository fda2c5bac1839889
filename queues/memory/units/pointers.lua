-- conversation, most, message...; without a message all of the conversation -> pointer...: what was made of them, so many at most
-- What is written of these messages from now on is refused.
local mostTold, toldMs = 2000, 7 * 86400000
local most = tonumber(ARGV[2])
expect(key('mf'), 'zset')
expect(key('mt'), 'zset')
if #ARGV == 2 then return redis.call('ZRANGEBYLEX', key('mf'), '-', '+', 'LIMIT', 0, most) end
local at, found = now(), {}
for i = 3, #ARGV do
  redis.call('ZADD', key('mt'), whole(at), ARGV[i])
  local own = redis.call('ZRANGEBYLEX', key('mf'), '[' .. ARGV[i] .. '\n', '(' .. ARGV[i] .. '\11', 'LIMIT', 0, most - #found)
  for _, pointer in ipairs(own) do found[#found + 1] = pointer end
  if #found >= most then break end
end
redis.call('ZREMRANGEBYSCORE', key('mt'), '-inf', whole(at - toldMs))
redis.call('ZREMRANGEBYRANK', key('mt'), 0, -mostTold - 1)
redis.call('PEXPIRE', key('mt'), toldMs)
return found
