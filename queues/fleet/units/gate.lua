-- prefix; reserve|settle|read, day, call, tokens, micro-dollars, most calls, hold ms, then name, token limit, money limit of each budget
--   -> OK|OVER, number of the budget that is over, place taken?, then tokens, micro-dollars of each
-- prefix; enter|keep|leave|pause, call, most calls, hold or pause ms -> OK | WAIT, ms
-- A model call needs money in every budget of the day and one of the fleet's places. Both live in one slot: a reservation holds in each
-- budget or in none, and takes a place along if one is free. One not settled counts in full: a crash can only overstate what was spent.
local places, pause = KEYS[1] .. 'places', KEYS[1] .. 'pause'
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)

-- ms to wait for a place; 0 when the call, which has none, got one.
local function enter(call, most, holdMs)
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
  if redis.call('ZSCORE', places, ARGV[2]) then return { 'OK' } end
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

-- The day is one hash: "tokens micro-dollars" by budget name and by reservation.
local keepSeconds = 3 * 86400
local day, call = KEYS[1] .. ARGV[2], ARGV[3]
local tokens, micros = tonumber(ARGV[4]), tonumber(ARGV[5])
local fields = { 'r:' .. call }
for n = 8, #ARGV, 3 do fields[#fields + 1] = ARGV[n] end
local found = redis.call('HMGET', day, unpack(fields))
local function read(n)
  local a, b = string.match(found[n] or '', '^(%d+) (%d+)$')
  return tonumber(a or '0'), tonumber(b or '0')
end
local held, over, spent = found[1], 0, {}
for n = 2, #fields do
  local t, m = read(n)
  spent[n] = { t, m }
  local maxTokens, maxMicros = tonumber(ARGV[n * 3 + 3]), tonumber(ARGV[n * 3 + 4])
  local full = (maxTokens > 0 and t + tokens > maxTokens) or (maxMicros > 0 and m + micros > maxMicros)
  if full and not held and over == 0 then over = n - 1 end
end

local reserves, settles = action == 'reserve' and over == 0 and not held, action == 'settle' and held
if reserves or settles then
  local heldTokens, heldMicros = read(1)
  local written = {}
  for n = 2, #fields do
    spent[n] = { spent[n][1] + tokens - heldTokens, spent[n][2] + micros - heldMicros }
    written[#written + 1] = fields[n]
    written[#written + 1] = string.format('%.0f %.0f', spent[n][1], spent[n][2])
  end
  if reserves then
    written[#written + 1] = fields[1]
    written[#written + 1] = string.format('%.0f %.0f', tokens, micros)
  else
    redis.call('HDEL', day, fields[1])
  end
  redis.call('HSET', day, unpack(written))
end
local placed = 0
if reserves then
  -- The last budget is the day's own: it is empty when the day begins.
  if not found[#fields] then redis.call('EXPIRE', day, keepSeconds) end
  if enter(call, tonumber(ARGV[6]), tonumber(ARGV[7])) == 0 then placed = 1 end
end
if action == 'settle' then
  redis.call('ZREM', places, call)
end
local flat = {}
for n = 2, #fields do
  flat[#flat + 1] = spent[n][1]
  flat[#flat + 1] = spent[n][2]
end
return { action == 'reserve' and over > 0 and 'OVER' or 'OK', over, placed, unpack(flat) }
