-- Put before every unit. KEYS[1] is the partition's prefix `fl:{pNN}:`, so all keys of one call share a slot; ARGV[1] is the conversation.
local P = KEYS[1]
local conv = ARGV[1]

local function key(kind) return P .. kind .. ':' .. conv end

-- Redis time in ms, the only clock of leases and deadlines.
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- What is wrong with a key's type, if anything is.
local function mismatch(name, wanted)
  local found = redis.call('TYPE', name).ok
  if found ~= 'none' and found ~= wanted then
    return 'CORRUPT ' .. name .. ' is a ' .. found .. ', not a ' .. wanted
  end
end

-- Refuses a key of another type before anything is written: a script that fails half way keeps what it wrote.
local function expect(name, wanted)
  local wrong = mismatch(name, wanted)
  if wrong then error({ err = wrong }) end
end

-- Whole ones only, as Redis counts on from them: 1.5 or 1e3 would fail there, when something is written already. `odd` is what
-- none of its signs may be, where that is another.
local function toNumber(text, name, field, odd)
  local number = not string.find(text or '0', odd or '[^%d-]') and tonumber(text or '0')
  return number or error({ err = 'CORRUPT ' .. name .. ' has no number in ' .. field })
end
local function numbers(name, ...)
  local found, fields = redis.call('HMGET', name, ...), { ... }
  for i = 1, #found do found[i] = toNumber(found[i], name, fields[i]) end
  return unpack(found)
end

-- The counters of a conversation that most units go by, and then what is consumed above the cursor (as text, or false).
local function counters(...)
  local fields = { 'routed', 'cursor', 'seq', 'consumed', ... }
  local found = redis.call('HMGET', key('c'), unpack(fields))
  for i = 1, 3 do found[i] = toNumber(found[i], key('c'), fields[i]) end
  return unpack(found)
end

-- Why the conversation is parked, or false. Read once; a unit that changes it says so itself.
local parkedFor
local function parked()
  if parkedFor == nil then parkedFor = redis.call('HGET', P .. 'parked', conv) end
  return parkedFor
end

-- Types of a conversation's keys. A script that fails half way keeps what it wrote, so `check` refuses keys of a wrong type before the
-- first write. A unit lists the keys that it writes to and has not read before: reading one of a wrong type fails by itself. `late` and
-- `idle` are not checked: they only help the sweeper, which tells the operator when they are broken.
local kinds = {
  c = 'hash', ['in'] = 'hash', dec = 'hash', r = 'hash', x = 'hash', stop = 'hash', aside = 'hash', asked = 'hash', cards = 'hash',
  done = 'hash', ah = 'hash', at = 'hash', t = 'hash', l = 'hash', tr = 'hash', tm = 'zset', dd = 'zset', j = 'list', obq = 'list', out = 'list', lease = 'string', ol = 'string', congested = 'string', file = 'string',
}
local function check(...)
  for _, kind in ipairs({ ... }) do expect(key(kind), kinds[kind]) end
  expect(P .. 'wake', 'zset')
  parked()
end

-- Whether of these events (seq, id or empty) one's number is another one's now: Redis may have lost its last moments, and then gives it again.
local function areOthers(seqs, ids)
  local events = #seqs > 0 and redis.call('HMGET', key('in'), unpack(seqs)) or {}
  for i, id in ipairs(ids) do
    local event = id ~= '' and events[i]
    if event and not string.find(event, '"id":"' .. id .. '"', 1, true) then
      local readable, found = pcall(cjson.decode, event)
      if readable and found.id ~= id then return true end
    end
  end
  return false
end

-- What became of a row, undefined when it is not known: its state, its receipt and, of one sent in parts, the last part. A row has a key
-- of its own until it was sent; then a few bytes in `done` tell. Older releases kept sent rows by themselves.
local function row(id) return key('o') .. ':' .. id end
local function whole(ms) return string.format('%.0f', ms) end
local function fate(id)
  local state, receipt, last = unpack(redis.call('HMGET', row(id), 's', 'rc', 'last'))
  if state then return state, receipt, last end
  local mark, told = string.match(redis.call('HGET', key('done'), id) or '', '^(%a)%d+ (.*)$')
  if mark == 's' then return 'sent', told end
  if mark == 'p' then return 'split', '', told end
end

-- Removes fields in portions: a script cannot hand on more than some thousand values at once.
local function remove(name, fields)
  for from = 1, #fields, 1000 do redis.call('HDEL', name, unpack(fields, from, math.min(from + 999, #fields))) end
end

local function split(list)
  local seqs = {}
  for seq in string.gmatch(list or '', '%d+') do seqs[#seqs + 1] = tonumber(seq) end
  return seqs
end

-- The earliest time wins: a head row that must wait a minute does not hide one appended behind it. Tells whether nothing of it waited before.
local function wake(what, at)
  return not parked() and redis.call('ZADD', P .. 'wake', 'LT', string.format('%.0f', at), what .. ':' .. conv) == 1
end
local function rest(what)
  redis.call('ZREM', P .. 'wake', what .. ':' .. conv)
  redis.pcall('ZREM', P .. 'late', what .. ':' .. conv)
end
-- Somebody is at it. Should they die, the sweeper is to find it at once, however long it had put it off.
local function taken(what)
  local since = redis.pcall('ZSCORE', P .. 'late', what .. ':' .. conv)
  if type(since) == 'string' then
    redis.call('ZADD', P .. 'wake', since, what .. ':' .. conv)
    redis.call('ZREM', P .. 'late', what .. ':' .. conv)
  end
end
-- Fields of a run that are the kernel's; any other is a part of the conversation's state, under the name that the executor gave it.
local ownFields = { epoch = 1, aHead = 1, starts = 1, excused = 1, jseq = 1, snapSeq = 1, snap = 1, rest = 1, reply = 1, held = 1 }
-- Whether more answers wait than may be sent before they expire, so that none is to be made.
local function congested() return redis.call('EXISTS', key('congested')) end

-- Highest stopped seq by principal, as a flat list.
local function stops() return redis.call('HGETALL', key('stop')) end

-- Something happened here: the conversation is not put away for long (archive.lua). Tells whether it may not have been known before.
local function touch(at) return redis.pcall('ZADD', P .. 'idle', string.format('%.0f', at), conv) ~= 0 end

-- Tells the process that works on the conversation that there is news; answers whether it hears, as far as this node of a cluster knows. An owner is `@<process>/<run>`; one of an older
-- release names no process, or `:<process>`, which hears of its own conversations or of all.
local function signal()
  local owner = redis.pcall('GET', key('lease'))
  if type(owner) ~= 'string' then return false end
  local process = string.match(owner, '^[@:](.*)/')
  return redis.call('PUBLISH', process and 'fl:signal:' .. process or 'fl:signal', conv) > 0
end

-- Appends an event to the mailbox and wakes the router. Returns its seq, and whether the router had nothing to look at here before. A router that was
-- woken for nothing, since a key of the mailbox was broken, finds that out.
local function enqueue(event, at)
  local wakes = wake('route', at)
  local seq = redis.call('HINCRBY', key('c'), 'seq', 1)
  redis.call('HSET', key('in'), seq, event)
  -- Of one that was only overheard the counters were about to go.
  if touch(at) and seq > 1 then redis.call('PERSIST', key('c')) end
  return seq, wakes
end

-- Ids of events, to know one that comes again. A score packs the second and the seq, so that a duplicate is told the seq of the first; 2^24
-- events a conversation until it wraps.
local keepSeconds, epochSecond, seqSpan = 48 * 3600, 1700000000, 16777216
local function seen(id)
  local known = redis.call('ZSCORE', key('dd'), id)
  return known and tonumber(known) % seqSpan
end
local function remember(id, seq, at)
  local second = math.floor(at / 1000) - epochSecond
  redis.call('ZADD', key('dd'), string.format('%.0f', second * seqSpan + seq % seqSpan), id)
  redis.call('ZREMRANGEBYSCORE', key('dd'), '-inf', string.format('%.0f', (second - keepSeconds) * seqSpan))
  redis.call('EXPIRE', key('dd'), keepSeconds)
end

-- Whether so many events wait in the mailbox, or so many bytes: sampled, and not for the few that wait as a rule.
local function isFull(mostWaiting, mostBytes)
  local count = redis.call('HLEN', key('in'))
  local bytes = count >= 64 and count < mostWaiting and redis.pcall('MEMORY', 'USAGE', key('in'), 'SAMPLES', 20) or 0
  return count >= mostWaiting or (type(bytes) == 'number' and bytes >= mostBytes)
end

-- Appends what web and console show; `c.out` counts all items ever, so an item's id is its number in that count. So many are kept, and
-- so many bytes: `c.outBytes` counts them.
local mostShown, mostShownBytes = 1000, 8388608
local function show(mark, json, at)
  local out, c = key('out'), key('c')
  local item = mark .. string.format('%.0f', at) .. json
  local length = redis.call('RPUSH', out, item)
  redis.call('HINCRBY', c, 'out', 1)
  local bytes = redis.call('HINCRBY', c, 'outBytes', #item)
  if bytes == #item and length > 1 then
    -- Kept by an older release, which did not count.
    bytes = redis.call('MEMORY', 'USAGE', out, 'SAMPLES', 0)
    redis.call('HSET', c, 'outBytes', bytes)
  end
  while length > 1 and (length > mostShown or bytes > mostShownBytes) do
    bytes = redis.call('HINCRBY', c, 'outBytes', -#redis.call('LPOP', out))
    length = length - 1
  end
end

-- Seqs consumed above the cursor, as ascending ranges: `7-9,12`. Older releases named each seq. Of many only the last one is read where
-- nothing from `lowest` on lies before it; the text of the others comes second.
local function ranges(text, lowest)
  text = text or ''
  local last = string.match(string.sub(text, -40), '[%d-]*$')
  if (tonumber(string.match(last, '^%d+')) or 0) > lowest then last = text end
  local list = {}
  for first, upTo in string.gmatch(last, '(%d+)%-?(%d*)') do
    list[#list + 1] = { tonumber(first), tonumber(upTo) or tonumber(first) }
  end
  return list, string.sub(text, 1, -#last - 1)
end

local function isWithin(list, seq)
  for _, range in ipairs(list) do
    if range[1] <= seq and seq <= range[2] then return true end
  end
  return false
end

local function joined(list)
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local result = {}
  for _, range in ipairs(list) do
    local before = result[#result]
    if before and range[1] <= before[2] + 1 then
      before[2] = math.max(before[2], range[2])
    else
      result[#result + 1] = range
    end
  end
  return result
end

-- A stop holds for events before it: once those are done with, it says nothing any more. `all` are the stops, where they were read.
local function dropStops(cursor, all)
  all = all or stops()
  for i = 1, #all, 2 do
    if tonumber(all[i + 1]) <= cursor then redis.call('HDEL', key('stop'), all[i]) end
  end
end

-- Marks events as done with and moves the cursor over the dense part. `c` holds cursor and what is consumed above it.
-- An event may be consumed before it is routed (a stop, while the router is away): it stays in the mailbox, and the cursor before it,
-- until it is routed. `above` is what `consumed` says.
local function consume(seqs, routed, cursor, above, stopped)
  local c = key('c')
  local gone, lowest = {}, math.huge
  for _, seq in ipairs(seqs) do
    lowest = math.min(lowest, seq)
    if seq > cursor and seq <= routed then gone[#gone + 1] = seq end
  end
  local list, before = ranges(above, lowest)
  for _, seq in ipairs(seqs) do
    if seq > cursor then list[#list + 1] = { seq, seq } end
  end
  remove(key('in'), gone)
  remove(key('dec'), gone)
  local left = {}
  for _, range in ipairs(joined(list)) do
    if range[1] == cursor + 1 then
      cursor = math.max(cursor, math.min(range[2], routed))
      range[1] = cursor + 1
    end
    if range[1] <= range[2] then left[#left + 1] = range[1] == range[2] and range[1] or range[1] .. '-' .. range[2] end
  end
  redis.call('HSET', c, 'cursor', cursor)
  if #left > 0 then
    redis.call('HSET', c, 'consumed', before .. table.concat(left, ','))
  elseif above then
    redis.call('HDEL', c, 'consumed')
  end
  if cursor >= routed then
    rest('run')
    dropStops(cursor, stopped)
  end
  return cursor
end

-- Routed, unconsumed events above `after` as seq, event, decision, ...; a hole in the mailbox is corruption. `above` is what `consumed` says.
local function waiting(after, routed, limit, above)
  local wanted, seq = {}, after + 1
  local function takeUpTo(last)
    for this = seq, math.min(last, routed, seq + limit - #wanted - 1) do wanted[#wanted + 1] = this end
  end
  for first, last in string.gmatch(above or '', '(%d+)%-?(%d*)') do
    takeUpTo(first - 1)
    if #wanted == limit then break end
    seq = math.max(seq, (tonumber(last) or tonumber(first)) + 1)
  end
  takeUpTo(routed)
  if #wanted == 0 then return {} end
  local events = redis.call('HMGET', key('in'), unpack(wanted))
  local decisions = redis.call('HMGET', key('dec'), unpack(wanted))
  local flat = {}
  for i, seq in ipairs(wanted) do
    if not events[i] then error({ err = 'CORRUPT ' .. key('in') .. ' has no event ' .. seq }) end
    if not decisions[i] then error({ err = 'CORRUPT ' .. key('dec') .. ' has no decision ' .. seq }) end
    flat[3 * i - 2], flat[3 * i - 1], flat[3 * i] = seq, events[i], decisions[i]
  end
  return flat
end
