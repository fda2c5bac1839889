-- prefix; keep, most calls, hold ms, name of a budget or '', call... -> OK
-- prefix; leave, call, name of a budget or '' -> OK
-- prefix; change, most calls, hold ms, token limit and money limit of person, chat, all and of a person who is an owner,
--   then for each: reserve|charge|read, day, call, tokens, micro-dollars, person, chat, name of a budget or '', 1 for an owner or ''
--   -> for each: number of the budget that is over or 0, permit taken?, tokens and micro-dollars of person, chat, all and that name, and its
--      calls that cost something
-- Curiosity has limits of its own: calls that cost something, and a tenth of what all may spend. Over them, all counts as over.
-- A limit that an owner set in a chat counts instead of that of the settings; an owner whom no setting limits stays without one.
-- A model call needs money in every budget of the day and one of the fleet's permits. All live in one slot: a reservation holds in each
-- budget or in none, and takes a permit along if one is free, nobody waits and no role pauses. One not charged counts in full: a crash
-- can only overstate what was spent. What is done in the background counts under the name of its budget as well, and takes no permit along.
local action = ARGV[1]
if action == 'leave' then
  redis.call('ZREM', permits, ARGV[2])
  if ARGV[3] ~= '' then redis.call('ZREM', shareOf(ARGV[3]), ARGV[2]) end
  return { 'OK' }
end
local most, holdMs = tonumber(ARGV[2]), tonumber(ARGV[3])
if action == 'keep' then
  for from = 5, #ARGV, 1000 do
    local kept = {}
    for n = from, math.min(from + 999, #ARGV) do kept[#kept + 1], kept[#kept + 2] = at + holdMs, ARGV[n] end
    redis.call('ZADD', permits, unpack(kept))
    if ARGV[4] ~= '' then redis.call('ZADD', shareOf(ARGV[4]), unpack(kept)) end
  end
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

-- What the days hold of those who ask is read at once, and written at once when all are counted.
local asked, days, names, known, written, isNew = {}, {}, {}, {}, {}, {}
for from = 12, #ARGV, 9 do
  local what, day, call, tokens, micros, person, chat, name, owner = unpack(ARGV, from, from + 8)
  asked[#asked + 1] = { what = what, day = day, call = call, tokens = tonumber(tokens), micros = tonumber(micros), name = name, owner = owner == '1' }
  asked[#asked].fields = { 'person:' .. person, 'chat:' .. chat, 'all', 'r:' .. call, name ~= '' and 'work:' .. name or nil, name ~= '' and 'calls:' .. name or nil }
  if not names[day] then
    days[#days + 1], names[day], known[day], written[day] = day, {}, {}, {}
  end
  for _, field in ipairs(asked[#asked].fields) do
    if known[day][field] == nil then
      known[day][field] = false
      names[day][#names[day] + 1] = field
    end
  end
end
for _, day in ipairs(days) do
  local texts = redis.call('HMGET', KEYS[1] .. day, unpack(names[day]))
  for n, field in ipairs(names[day]) do known[day][field] = texts[n] end
  isNew[day] = not known[day].all
end

local set = redis.call('HMGET', KEYS[1] .. 'budgets', 'person:tokens', 'person:micros', 'chat:tokens', 'chat:micros', 'total:tokens', 'total:micros')
-- Of the budget n, 1 for tokens and 2 for money: 0 for none.
local function limitOf(ask, n, unit)
  local at = n * 2 + unit - 2
  local own = tonumber(ARGV[3 + at])
  if n == 1 and ask.owner then
    own = tonumber(ARGV[9 + unit])
    if own == 0 then return 0 end
  end
  return tonumber(set[at] or own)
end

-- Whether what is asked under a name would take more than it may.
local curious = { calls = 5000, part = 10 }
local function isBeyond(ask, held)
  if ask.name ~= 'curiosity' or ask.what ~= 'reserve' then return false end
  if tonumber(held[ask.fields[6]] or '0') >= curious.calls then return true end
  local used, usedMicros = read(held[ask.fields[5]] or '')
  local maxTokens, maxMicros = limitOf(ask, 3, 1), limitOf(ask, 3, 2)
  return (maxTokens > 0 and (used + ask.tokens) * curious.part > maxTokens) or (maxMicros > 0 and (usedMicros + ask.micros) * curious.part > maxMicros)
end

local flat, taken, given = {}, {}, {}
for _, ask in ipairs(asked) do
  local held, change = known[ask.day], written[ask.day]
  local reservation = held[ask.fields[4]]
  local spent, over = {}, 0
  for n = 1, 3 do
    local used, usedMicros = read(held[ask.fields[n]])
    spent[n * 2 - 1], spent[n * 2] = used, usedMicros
    local maxTokens, maxMicros = limitOf(ask, n, 1), limitOf(ask, n, 2)
    local full = (maxTokens > 0 and used + ask.tokens > maxTokens) or (maxMicros > 0 and usedMicros + ask.micros > maxMicros)
    if ask.what == 'reserve' and full and not reservation and over == 0 then over = n end
  end
  if over == 0 and not reservation and isBeyond(ask, held) then over = 3 end
  local reserves, charges = ask.what == 'reserve' and over == 0 and not reservation, ask.what == 'charge' and reservation
  local permitted, work, calls = 0, ask.fields[5], ask.fields[6]
  spent[7], spent[8] = read(work and held[work] or '')
  spent[9] = tonumber(calls and held[calls] or '0')
  if reserves or charges then
    local heldTokens, heldMicros = read(reservation or '')
    for n = 1, 3 do
      spent[n * 2 - 1] = spent[n * 2 - 1] + ask.tokens - heldTokens
      spent[n * 2] = spent[n * 2] + ask.micros - heldMicros
      held[ask.fields[n]] = write(spent[n * 2 - 1], spent[n * 2])
      change[ask.fields[n]] = held[ask.fields[n]]
    end
    if work then
      spent[7], spent[8] = spent[7] + ask.tokens - heldTokens, spent[8] + ask.micros - heldMicros
      held[work] = write(spent[7], spent[8])
      change[work] = held[work]
      if charges and ask.tokens > 0 then
        spent[9] = spent[9] + 1
        held[calls], change[calls] = spent[9], spent[9]
      end
    end
    held[ask.fields[4]] = reserves and write(ask.tokens, ask.micros)
    change[ask.fields[4]] = held[ask.fields[4]]
    if reserves and free > 0 and not work then
      taken[#taken + 1], taken[#taken + 2] = at + holdMs, ask.call
      free, permitted = free - 1, 1
    end
  end
  if ask.what == 'charge' then
    given[#given + 1] = ask.call
    if ask.name ~= '' then redis.call('ZREM', shareOf(ask.name), ask.call) end
  end
  flat[#flat + 1] = over
  flat[#flat + 1] = permitted
  for n = 1, 9 do flat[#flat + 1] = spent[n] end
end

for _, day in ipairs(days) do
  local kept, gone = {}, {}
  for field, text in pairs(written[day]) do
    if text then
      kept[#kept + 1], kept[#kept + 2] = field, text
    else
      gone[#gone + 1] = field
    end
  end
  if #kept > 0 then redis.call('HSET', KEYS[1] .. day, unpack(kept)) end
  if #gone > 0 then redis.call('HDEL', KEYS[1] .. day, unpack(gone)) end
  -- A day has a first reservation, and is forgotten some days after it.
  if #kept > 0 and isNew[day] then redis.call('EXPIRE', KEYS[1] .. day, keepSeconds) end
end
if #taken > 0 then redis.call('ZADD', permits, unpack(taken)) end
if #given > 0 then redis.call('ZREM', permits, unpack(given)) end
return flat
