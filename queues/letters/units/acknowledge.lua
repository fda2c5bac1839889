-- '', target, put off for, id of a letter that it has... -> how many of its letters are gone
-- They are carried in order: the first ones go, as far as it has them, and what is no letter any more. By their ids, for numbers come again where
-- moments were lost. What is left goes behind what others have here, or waits.
local target, putOffMs, has = ARGV[2], tonumber(ARGV[3]), {}
for i = 4, #ARGV do has[ARGV[i]] = true end
local box, gone, at = letterBox(target), 0, now()
expect(P .. 'letters', 'zset')
for _ = 1, mostLetters do
  local item = redis.call('LINDEX', box, 0)
  local _, from, id = readLetter(item or '')
  if not item or (from and not has[id] and redis.pcall('HEXISTS', P .. 'l:' .. from, id) == 1) then break end
  redis.call('LPOP', box)
  if from then redis.pcall('HDEL', P .. 'l:' .. from, id) end
  gone = gone + 1
end
if redis.call('EXISTS', box) == 0 then
  redis.call('ZREM', P .. 'letters', target)
else
  redis.call('ZADD', P .. 'letters', 'XX', whole(at + putOffMs), target)
end
return gone
