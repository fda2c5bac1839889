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

-- A task's run has an address, `<conversation>#<number>`: mailbox, journal, state, timers and artifacts are its own; what it says, asks and records
-- is its conversation's, its home's. `within` does something in another one of the partition; `atHome` in the home, which a conversation is itself.
local function isTask(address) return string.find(address, '#', 1, true) end
local function within(address, act, ...)
  local from, reason = conv, parkedFor
  conv, parkedFor = address, nil
  local isFine, first, second = pcall(act, ...)
  conv, parkedFor = from, reason
  if not isFine then error(first, 0) end
  return first, second
end
local function atHome(act, ...)
  if not isTask(conv) then return act(...) end
  return within(string.match(conv, '^[^#]+'), act, ...)
end

-- Whether a conversation has a task, whose address is given.
local function hasTask(address) return redis.call('HEXISTS', key('tasks'), string.match(address, '%d+$')) == 1 end

-- Types of a conversation's keys. A script that fails half way keeps what it wrote, so `check` refuses keys of a wrong type before the
-- first write. A unit lists the keys that it writes to and has not read before: reading one of a wrong type fails by itself. `late` and
-- `idle` are not checked: they only help the sweeper, which tells the operator when they are broken.
local kinds = {
  c = 'hash', ['in'] = 'hash', dec = 'hash', r = 'hash', x = 'hash', stop = 'hash', aside = 'hash', asked = 'hash', cards = 'hash',
  done = 'hash', tasks = 'hash', ah = 'hash', at = 'hash', t = 'hash', l = 'hash', tr = 'hash', tm = 'zset', dd = 'zset', j = 'list', obq = 'list', out = 'list', lease = 'string', ol = 'string', congested = 'string', file = 'string',
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
-- of its own until it was sent; then a few bytes in `done` tell.
local function row(id) return key('o') .. ':' .. id end
local function whole(ms) return string.format('%.0f', ms) end
local function fate(id)
  local state, receipt = unpack(redis.call('HMGET', row(id), 's', 'rc'))
  if state then return state, receipt end
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
local function touch(at)
  if isTask(conv) then return false end
  return redis.pcall('ZADD', P .. 'idle', string.format('%.0f', at), conv) ~= 0
end

-- Tells the process that works on the conversation that there is news; answers whether it hears, as far as this node of a cluster knows. An owner is `@<process>/<run>`; of one
-- that names no process all hear.
local function signal()
  local owner = redis.pcall('GET', key('lease'))
  if type(owner) ~= 'string' then return false end
  local process = string.match(owner, '^@(.*)/')
  return redis.call('PUBLISH', process and 'fl:signal:' .. process or 'fl:signal', conv) > 0
end

-- What comes into a task's mailbox needs no router: it is stored as decided. Returns its seq. What comes for one that is gone is dropped.
local decidedForTasks = '{"v":1,"act":"apply","rule":"task"}'
local function enqueueDecided(event, at)
  if not atHome(hasTask, conv) then return 0 end
  local seq = redis.call('HINCRBY', key('c'), 'seq', 1)
  redis.call('HSET', key('in'), seq, event)
  redis.call('HSET', key('dec'), seq, decidedForTasks)
  redis.call('HSET', key('c'), 'routed', seq)
  wake('run', at)
  signal()
  return seq
end

-- Appends an event to the mailbox and wakes the router. Returns its seq, and whether the router had nothing to look at here before. A router that was
-- woken for nothing, since a key of the mailbox was broken, finds that out.
local function enqueue(event, at)
  if isTask(conv) then return enqueueDecided(event, at) end
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
  while length > 1 and (length > mostShown or bytes > mostShownBytes) do
    bytes = redis.call('HINCRBY', c, 'outBytes', -#redis.call('LPOP', out))
    length = length - 1
  end
end
