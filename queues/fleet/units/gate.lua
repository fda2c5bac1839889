-- prefix; keep, most calls, hold ms, call... -> OK
-- prefix; leave, call -> OK
-- prefix; change, most calls, hold ms, token limit and money limit of person, chat and all,
--   then for each: reserve|charge|read, day, call, tokens, micro-dollars, person, chat
--   -> for each: number of the budget that is over or 0, permit taken?, tokens and micro-dollars of person, chat and all
-- A model call needs money in every budget of the day and one of the fleet's permits. All live in one slot: a reservation holds in each
-- budget or in none, and takes a permit along if one is free, nobody waits and no role pauses. One not charged counts in full: a crash
-- can only overstate what was spent.
local action = ARGV[1]
if action == 'leave' then
  redis.call('ZREM', permits, ARGV[2])
  return { 'OK' }
end
local most, holdMs = tonumber(ARGV[2]), tonumber(ARGV[3])
if action == 'keep' then
  for n = 4, #ARGV do redis.call('ZADD', permits, at + holdMs, ARGV[n]) end
  return { 'OK' }
end

forgetSilent()
local free = 0
if redis.call('EXISTS', waiting, pauseOf('main'), pauseOf('fast'), pauseOf('fallback')) == 0 then free = countFree(most) end

-- A day is one hash: "tokens micro-dollars" by budget and by reservation.
local keepSeconds = 3 * 86400
local function read(text)
  local tokens, micros = string.match(text or '', '^(%d+) (%d+)$')
  return tonumber(tokens or '0'), tonumber(micros or '0')
end
local function write(tokens, micros) return string.format('%.0f %.0f', tokens, micros) end

local flat = {}
for from = 10, #ARGV, 7 do
  local what, day, call, tokens, micros, person, chat = unpack(ARGV, from, from + 6)
  local name, reservation = KEYS[1] .. day, 'r:' .. call
  local budgets = { 'person:' .. person, 'chat:' .. chat, 'all' }
  local held, ofPerson, ofChat, ofAll = unpack(redis.call('HMGET', name, reservation, unpack(budgets)))
  local spent, over = {}, 0
  for n, text in ipairs({ ofPerson or '', ofChat or '', ofAll or '' }) do
    local used, usedMicros = read(text)
    spent[n * 2 - 1], spent[n * 2] = used, usedMicros
    local maxTokens, maxMicros = tonumber(ARGV[n * 2 + 2]), tonumber(ARGV[n * 2 + 3])
    local full = (maxTokens > 0 and used + tokens > maxTokens) or (maxMicros > 0 and usedMicros + micros > maxMicros)
    if what == 'reserve' and full and not held and over == 0 then over = n end
  end
  local reserves, charges = what == 'reserve' and over == 0 and not held, what == 'charge' and held
  local permitted = 0
  if reserves or charges then
    local heldTokens, heldMicros = read(held or '')
    for n = 1, 3 do
      spent[n * 2 - 1] = spent[n * 2 - 1] + tokens - heldTokens
      spent[n * 2] = spent[n * 2] + micros - heldMicros
    end
    local written = {
      budgets[1], write(spent[1], spent[2]), budgets[2], write(spent[3], spent[4]), budgets[3], write(spent[5], spent[6]),
    }
    if reserves then
      written[7], written[8] = reservation, write(tokens, micros)
      if free > 0 then
        redis.call('ZADD', permits, at + holdMs, call)
        free, permitted = free - 1, 1
      end
    else
      redis.call('HDEL', name, reservation)
    end
    redis.call('HSET', name, unpack(written))
    if not ofAll then redis.call('EXPIRE', name, keepSeconds) end
  end
  if what == 'charge' then redis.call('ZREM', permits, call) end
  flat[#flat + 1] = over
  flat[#flat + 1] = permitted
  for n = 1, 6 do flat[#flat + 1] = spent[n] end
end
return flat
