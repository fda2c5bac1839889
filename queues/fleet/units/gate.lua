-- prefix; reserve|settle|read, day, call, tokens, micro-dollars, most calls, hold ms, then name, token limit, money limit of each budget
--   -> OK|OVER, number of the budget that is over, place taken?, then tokens, micro-dollars of each
-- prefix; enter|keep|leave|pause, call, most calls, hold or pause ms -> OK | WAIT, ms
-- A model call needs money in every budget of the day and one of the fleet's places. Both live in one slot: a reservation holds in each
-- budget or in none, and takes a place along if one is free. One not settled counts in full: a crash can only overstate what was spent.
local places, pause = KEYS[1] .. 'places', KEYS[1] .. 'pause'
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)

-- ms to wait for a place, 0 when the call has one.
local function enter(call, most, holdMs)
  if redis.call('ZSCORE', places, call) then return 0 end
  local paused = redis.call('PTTL', pause)
  if paused > 0 then return paused end
  if redis.call('ZCARD', places) >= most then
    redis.call('ZREMRANGEBYSCORE', places, '-inf', at)
    if redis.call('ZCARD', places) >= most then return 100 end
  end
  redis.call('ZADD', places, at + holdMs, call)
  return 0
end

local action = ARGV[1]
if action == 'enter' then
  local waitMs = enter(ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
  if waitMs > 0 then return { 'WAIT', waitMs } end
  return { 'OK' }
elseif action == 'keep' then
  redis.call('ZADD', places, at + ARGV[4], ARGV[2])
  return { 'OK' }
elseif action == 'leave' then
  redis.call('ZREM', places, ARGV[2])
  return { 'OK' }
elseif action == 'pause' then
  -- A shorter wait asked of another worker does not end a longer one.
  if redis.call('PTTL', pause) < tonumber(ARGV[4]) then redis.call('SET', pause, '1', 'PX', ARGV[4]) end
  return { 'OK' }
end

local keepSeconds = 3 * 86400
local prefix, id = KEYS[1] .. ARGV[2] .. ':', 'r:' .. ARGV[3]
local tokens, micros = tonumber(ARGV[4]), tonumber(ARGV[5])
local over, held, spent, money, flat = 0, {}, {}, {}, {}
local count = (#ARGV - 7) / 3
for n = 1, count do
  local reserved, spentTokens, spentMicros = unpack(redis.call('HMGET', prefix .. ARGV[n * 3 + 5], id, 'tokens', 'micros'))
  held[n], spent[n], money[n] = reserved, tonumber(spentTokens or '0'), tonumber(spentMicros or '0')
  local maxTokens, maxMicros = tonumber(ARGV[n * 3 + 6]), tonumber(ARGV[n * 3 + 7])
  local full = (maxTokens > 0 and spent[n] + tokens > maxTokens) or (maxMicros > 0 and money[n] + micros > maxMicros)
  if full and not reserved and over == 0 then over = n end
end
for n = 1, count do
  local name = prefix .. ARGV[n * 3 + 5]
  if action == 'reserve' and over == 0 and not held[n] then
    local fresh = not (spent[n] > 0)
    spent[n], money[n] = spent[n] + tokens, money[n] + micros
    redis.call('HSET', name, id, tokens .. ' ' .. micros, 'tokens', spent[n], 'micros', money[n])
    if fresh then redis.call('EXPIRE', name, keepSeconds) end
  elseif action == 'settle' and held[n] then
    local heldTokens, heldMicros = string.match(held[n], '^(%d+) (%d+)$')
    spent[n], money[n] = spent[n] - heldTokens + tokens, money[n] - heldMicros + micros
    redis.call('HSET', name, 'tokens', spent[n], 'micros', money[n])
    redis.call('HDEL', name, id)
  end
  flat[#flat + 1] = spent[n]
  flat[#flat + 1] = money[n]
end
local placed = 0
if action == 'settle' then redis.call('ZREM', places, ARGV[3]) end
if action == 'reserve' and over == 0 and enter(ARGV[3], tonumber(ARGV[6]), tonumber(ARGV[7])) == 0 then placed = 1 end
return { action == 'reserve' and over > 0 and 'OVER' or 'OK', over, placed, unpack(flat) }
