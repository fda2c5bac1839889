-- prefix of one day's budgets; reserve|settle|read, reservation, tokens, micro-dollars, ttl s, then name, token limit, money limit for
-- each budget -> OK|OVER, number of the budget that is over, then tokens, micro-dollars of each
-- All budgets of a day share a slot: a reservation holds in each of them or in none. One not settled counts in full: a crash can
-- only overstate what was spent.
local action, id, tokens, micros, ttl = ARGV[1], 'r:' .. ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local over, held, spent, money, flat = 0, {}, {}, {}, {}
local count = (#ARGV - 5) / 3
for n = 1, count do
  local reserved, t, m = unpack(redis.call('HMGET', KEYS[1] .. ARGV[n * 3 + 3], id, 'tokens', 'micros'))
  held[n], spent[n], money[n] = reserved, tonumber(t or '0'), tonumber(m or '0')
  local maxTokens, maxMicros = tonumber(ARGV[n * 3 + 4]), tonumber(ARGV[n * 3 + 5])
  local full = (maxTokens > 0 and spent[n] + tokens > maxTokens) or (maxMicros > 0 and money[n] + micros > maxMicros)
  if full and not reserved and over == 0 then over = n end
end
for n = 1, count do
  local name = KEYS[1] .. ARGV[n * 3 + 3]
  if action == 'reserve' and over == 0 and not held[n] then
    local fresh = not (spent[n] > 0)
    spent[n], money[n] = spent[n] + tokens, money[n] + micros
    redis.call('HSET', name, id, tokens .. ' ' .. micros, 'tokens', spent[n], 'micros', money[n])
    if fresh then redis.call('EXPIRE', name, ttl) end
  elseif action == 'settle' and held[n] then
    local heldTokens, heldMicros = string.match(held[n], '^(%d+) (%d+)$')
    spent[n], money[n] = spent[n] - heldTokens + tokens, money[n] - heldMicros + micros
    redis.call('HSET', name, 'tokens', spent[n], 'micros', money[n])
    redis.call('HDEL', name, id)
  end
  flat[#flat + 1] = spent[n]
  flat[#flat + 1] = money[n]
end
return { (action == 'reserve' and over > 0) and 'OVER' or 'OK', over, unpack(flat) }
