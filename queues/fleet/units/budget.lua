-- key of one budget day; reserve|settle, reservation, tokens, micro-dollars, token limit, money limit, ttl s -> OK|OVER, tokens, micro-dollars
-- A reservation not settled counts in full: a crash can only overstate what was spent.
local action, id, tokens, micros, maxTokens, maxMicros, ttl = unpack(ARGV)
local name = KEYS[1]
tokens, micros, maxTokens, maxMicros = tonumber(tokens), tonumber(micros), tonumber(maxTokens), tonumber(maxMicros)
local held = redis.call('HGET', name, 'r:' .. id)
local spent, money = unpack(redis.call('HMGET', name, 'tokens', 'micros'))
spent, money = tonumber(spent or '0'), tonumber(money or '0')
if action == 'reserve' then
  if held then return { 'OK', spent, money } end
  if (maxTokens > 0 and spent + tokens > maxTokens) or (maxMicros > 0 and money + micros > maxMicros) then return { 'OVER', spent, money } end
  redis.call('HSET', name, 'r:' .. id, tokens .. ' ' .. micros, 'tokens', spent + tokens, 'micros', money + micros)
  if not (spent > 0) then redis.call('EXPIRE', name, ttl) end
  return { 'OK', spent + tokens, money + micros }
end
if action == 'settle' and held then
  local heldTokens, heldMicros = string.match(held, '^(%d+) (%d+)$')
  spent, money = spent - heldTokens + tokens, money - heldMicros + micros
  redis.call('HSET', name, 'tokens', spent, 'micros', money)
  redis.call('HDEL', name, 'r:' .. id)
end
return { 'OK', spent, money }
