-- '', target, number of the last letter that it has, put off for -> how many of its letters are gone
-- They are carried in order, so that none before that one is needed any more. What is left goes behind what others have here, or waits.
local target, number, putOffMs = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local box, gone, at = letterBox(target), 0, now()
expect(P .. 'letters', 'zset')
for _ = 1, mostLetters do
  local this, from, id = readLetter(redis.call('LINDEX', box, 0) or '')
  if not this or this > number then break end
  redis.call('LPOP', box)
  redis.pcall('HDEL', P .. 'l:' .. from, id)
  gone = gone + 1
end
if redis.call('EXISTS', box) == 0 then
  redis.call('ZREM', P .. 'letters', target)
else
  redis.call('ZADD', P .. 'letters', 'XX', whole(at + putOffMs), target)
end
return gone
