-- conversation, epoch, key, (name, how many, ...)... -> OK|DUP|FENCED|STOPPED, routed, released, journal seq
-- Flags, which are there or not: folds, progress, release, stream, endsSession. Lists, empty when they are not there: after (the journal seq before),
-- entries (with folds only `entered`, how many), unlessStopped (principal, first seq), consume, setAside, snapshot, rest (as it was when not there),
-- reply, file, parts (name, text), rows (id, body, expires in, questions shown), questions (id, json, rest), closes, known (seq, event id),
-- timers (name, event, due in), disarms, cancels, letters (target, id, what it says), tasks (address, event, begins with the messages that it comes of
-- | stops whom | '', of what), drops (numbers of tasks), records (kind, id, messages, text), artifacts (name, session,
-- json, text), dropsArtifacts (names; what is kept under one of them by this step stays).
local at = now()
local given, next = {}, 4
while ARGV[next] do
  local list = {}
  for i = 1, tonumber(ARGV[next + 1]) do list[i] = ARGV[next + 1 + i] end
  given[ARGV[next]], next = list, next + 2 + #list
end
local function all(name) return given[name] or {} end
local function numbersIn(name)
  local list = all(name)
  for i = 1, #list do list[i] = tonumber(list[i]) end
  return list
end
local epoch, step, after, folds = ARGV[2], ARGV[3], tonumber(all('after')[1]), given.folds
local principal, first = unpack(all('unlessStopped'))
local consumed, aside, entries, parts, rows, questions = numbersIn('consume'), all('setAside'), all('entries'), all('parts'), all('rows'), all('questions')
local known, timers, letters, records, stream = all('known'), all('timers'), all('letters'), all('records'), given.stream

local r, c = key('r'), key('c')
-- The types of the mailbox, of the journal and of what is said were looked at by the claim under this epoch. What else is written to is read before.
local function expectSaid()
  for i = 1, stream and 0 or #rows, 4 do expect(row(rows[i]), 'hash') end
  if #questions > 0 then check('asked') end
  for i = 1, #questions, 3 do expect(P .. 'q:' .. questions[i], 'hash') end
end
atHome(expectSaid)
local routed, cursor, last, above = counters()
local jseq, snapSeq, held = numbers(r, 'jseq', 'snapSeq', 'epoch')
if held ~= tonumber(epoch) then return { 'FENCED', routed, 0 } end
-- A step that only consumes needs no place in the index: what it consumed tells.
local only = #entries == 0 and not folds and #parts == 0 and consumed[1]
local isOver = only and (only <= cursor or isWithin(ranges(above, only), only))
local index = folds and redis.call('HGETALL', key('x'))
for i = 1, index and #index or 0, 2 do isOver = isOver or index[i] == step end
if isOver or not index and redis.call('HEXISTS', key('x'), step) == 1 then
  return { 'DUP', routed, given.release and redis.call('EXISTS', key('lease')) == 0 and 1 or 0, jseq }
end
local stopped = (principal or #consumed > 0) and stops() or {}
for i = 1, principal and #stopped or 0, 2 do
  local isOwn = stopped[i] == principal or stopped[i] == '*'
  -- A stop may lie between two events.
  if isOwn and toNumber(stopped[i + 1], key('stop'), stopped[i], '[^%d.-]') > tonumber(first) then return { 'STOPPED', routed, 0 } end
end
local function isQuiet(json) return not string.find(json, '"deadlineMs":', 1, true) and not string.find(json, '"topic":', 1, true) end
local asks = #all('cancels') > 0
for i = 2, #questions, 3 do asks = asks or not isQuiet(questions[i]) end
for i = 4, stream and #rows or 0, 4 do asks = asks or rows[i] ~= '' end
local asking = asks and asking()
if asks then atHome(function() expect(key('cards'), 'hash') end) end
local timing = (asks or #timers + #all('disarms') > 0) and timing()
if timing then timing.expectRoom(timers) end
if #letters > 0 then expectRoomForLetters(letters) end
local recorder = #records > 0 and recording()
if recorder then atHome(recorder.expect) end
local toTasks, drops = all('tasks'), all('drops')
if #toTasks + #drops > 0 then
  atHome(check, 'tasks', 't')
  atHome(expectRoomForTasks, toTasks)
end
for i = 1, #toTasks, 4 do within(toTasks[i], check, 'c', 'in', 'dec', 'stop') end
local keep = (given.artifacts or given.dropsArtifacts) and artifacts().prepare(all('artifacts'), all('dropsArtifacts'), at)
-- Redis may have lost its last moments: then steps are gone on which this one builds, or another event stands where the run knows one.
if after and after ~= jseq then return { 'FENCED', routed, 0 } end
local seqs, ids = {}, {}
for i = 1, #known, 2 do seqs[#seqs + 1], ids[#ids + 1] = known[i], known[i + 1] end
if areOthers(seqs, ids) then return { 'FENCED', routed, 0 } end
for _, seq in ipairs(consumed) do
  if seq > last then return { 'FENCED', routed, 0 } end
end

for i = 1, #parts, 2 do
  if ownFields[parts[i]] then error({ err = 'ERR no part may be called ' .. parts[i] }) end
end

if recorder then atHome(recorder.write, records, at) end
if keep then keep() end
if given.endsSession then artifacts().endSession() end
-- The folded state stands for all that the journal said up to it.
if #entries > 0 then
  for i, entry in ipairs(entries) do entries[i] = jseq + i .. ' ' .. step .. '\n' .. entry end
  redis.call('RPUSH', key('j'), unpack(entries))
end
jseq = jseq + (given.entered and tonumber(given.entered[1]) or #entries)
local changed = { 'jseq', jseq }
local function change(name, value) changed[#changed + 1], changed[#changed + 2] = name, value end
for i = 1, #parts, 2 do
  local name, value = parts[i], parts[i + 1]
  if value == '' then redis.call('HDEL', r, name) else change(name, value) end
end
for name, field in pairs({ snapshot = 'snap', rest = 'rest', reply = 'reply' }) do
  if given[name] then change(field, given[name][1]) end
end
if folds then change('snapSeq', jseq) end
redis.call('HSET', r, unpack(changed))
if not only then redis.call('HSET', key('x'), step, jseq) end
for _, seq in ipairs(aside) do
  local event = redis.call('HGET', key('in'), seq)
  if event then redis.call('HSET', key('aside'), seq, event) end
end
if #aside > 0 then
  redis.call('EXPIRE', key('aside'), 30 * 86400)
  local kept = redis.call('HKEYS', key('aside'))
  table.sort(kept, function(a, b) return tonumber(a) < tonumber(b) end)
  if #kept > 100 then redis.call('HDEL', key('aside'), unpack(kept, 1, #kept - 100)) end
end
local address, mostLooked = isTask(conv) and conv, 30
-- All that people see, in the home of a task.
local function say()
  for i = 1, #rows, 4 do
    local id, body, expires, shown = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
    if stream then
      show('b', body, at)
    elseif not fate(id) then
      -- A file is as long as all that is remembered: of those that wait only the newest is sent.
      if string.find(body, '"file":{', 1, true) then
        local before = redis.call('HGET', key('c'), 'file')
        if before and redis.call('HGET', row(before), 's') == 'queued' then
          redis.call('LREM', key('obq'), 1, before)
          redis.call('DEL', row(before))
        end
        redis.call('HSET', key('c'), 'file', id)
      end
      -- Of edits of one message that only tell how far something is, the newest is enough.
      local edited = string.find(body, '"plan":true', 1, true) and string.match(body, '"replaces":"([^"]+)"')
      for _, before in ipairs(edited and redis.call('LRANGE', key('obq'), -mostLooked, -1) or {}) do
        local other, state, tries = unpack(redis.call('HMGET', row(before), 'b', 's', 'n'))
        local isSame = other and string.find(other, '"plan":true', 1, true) and string.match(other, '"replaces":"([^"]+)"') == edited
        if isSame and state == 'queued' and tries == '0' then
          redis.call('LREM', key('obq'), 1, before)
          redis.call('DEL', row(before))
        end
      end
      redis.call('HSET', row(id), 'b', body, 's', 'queued', 'n', 0, 'x', whole(at + expires), 'came', whole(at))
      if shown ~= '' then redis.call('HSET', row(id), 'asks', shown) end
      redis.call('RPUSH', key('obq'), id)
      wake('out', at)
    end
  end
  if given.file then redis.call('SET', key('file'), given.file[1], 'EX', 14 * 86400) end
  for _, what in ipairs(all('cancels')) do asking.cancel(what, at, address) end
  for i = 1, #questions, 3 do
    local begin = isQuiet(questions[i + 1]) and raise or asking.ask
    begin(questions[i], questions[i + 1], questions[i + 2], at, address)
  end
  for i = 4, stream and #rows or 0, 4 do
    if rows[i] ~= '' then asking.settle(rows[i], 'sent', '', at, rows[i - 3]) end
  end
  for _, id in ipairs(all('closes')) do
    local card = redis.call('HGET', P .. 'q:' .. id, 'card')
    if card and redis.pcall('HGET', key('cards'), card) == id then redis.call('HDEL', key('cards'), card) end
    redis.call('DEL', P .. 'q:' .. id)
  end
end
atHome(say)
for i = 1, #timers, 3 do timing.arm(timers[i], timers[i + 1], at + timers[i + 2]) end
for _, name in ipairs(all('disarms')) do timing.disarm(name) end
if #letters > 0 then writeLetters(letters, at) end
if #toTasks + #drops > 0 then atHome(tasking, toTasks, drops, at) end
-- A task may have told itself, or called off what it asked: that waits for it already.
if address then routed, cursor, last, above = counters() end
if #consumed > 0 then
  cursor = consume(consumed, routed, cursor, above, stopped)
  if cursor < routed then
    rest('run')
    wake('run', at)
  end
end
local over = {}
if folds then
  -- The index reaches back to the fold before, so that a repeat which arrives late is still known. Nobody reads the journal again.
  local old = {}
  for i = 1, #index, 2 do
    if tonumber(index[i + 1]) <= snapSeq and index[i] ~= step then old[#old + 1] = index[i] end
  end
  remove(key('x'), old)
  over = { key('j'), key('draft') }
end
local released = given.release and cursor >= routed
if released then over[#over + 1] = key('lease') end
if #over > 0 then redis.call('DEL', unpack(over)) end
if given.progress or released then redis.call('HDEL', r, 'aHead', 'starts', 'excused', released and 'held' or 'aHead') end
local function tellLive()
  if stream or redis.call('EXISTS', key('ol')) == 1 then redis.call('PUBLISH', 'fl:live:' .. conv, 'out') end
end
if #rows > 0 then atHome(tellLive) end
return { 'OK', routed, released and 1 or 0, jseq }
