-- Put before begin, settle and promote: the sender's lease and which row goes next.
-- `obq` is the outbox: at its head the notice of what was lost, if there is one, then the rows in order. A notice lets rows pass until it is as
-- old as a row may become. What takes buttons away, and a reaction, lets rows pass once, and whenever it was told to wait. It is given up when it
-- has grown old and answers still stand behind it, or when too many of its kind wait. Else it waits for as long as a row lives.
local owner, ttl, timeout, dedupedMs, leaving, op, noticeId, questionId, noticeKind =
  ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == 'leave', ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local at = now()
local terminalSeconds = 48 * 3600
local noticeAfterMs, noticeLivesMs = 60000, 86400000
-- Of lost messages the newest are kept to be shown again: so many, and so many bytes in all.
local keptMost, keptBytes = 5, 16000
local mostEdits, mostCosmetic = 5, 30 -- tries of an edit that may have been made; cosmetic rows that wait

-- Bodies are read by patterns, not decoded: a quote inside a JSON string is escaped, so `"kind":"send"` can only be the field, and
-- cjson would turn empty lists into objects.
local function has(body, field) return string.find(body, field, 1, true) end
local function isPartial(body) return has(body, '"partial":true') end
local function isPlan(body) return has(body, '"plan":true') end
local function isCosmetic(body) return has(body, '"kind":"unbutton"') or has(body, '"kind":"react"') end
local function isCourtesy(body) return isCosmetic(body) or (isPlan(body) and has(body, '"replaces":"')) end
local function isNotice(id) return string.sub(id, 1, 7) == 'notice-' end

-- Fresh ids for one call: the caller's random id with a counter in its last two places.
local told = 0
local function freshId(id) return string.sub(id, 1, -3) .. string.format('%02d', told) end

-- A row that was sent is kept as `<s|p><when, ms> <receipt, or the last part>`: so many at most, the newest ones. Of the parts of a row only
-- the last one is ever asked for. The beginning of a turn's reply stays until its end was sent, however much is sent meanwhile; a turn
-- that was given up never sends it, so for a day at most.
local mostDone, keptDone, beginningLivesMs = 120, 60, 86400000
local function remember(id, mark, told)
  local parent = string.match(id, '^(.+)%.%d+$')
  if parent then
    local _, _, last = fate(parent)
    if last ~= id then return end
  end
  local done = key('done')
  redis.call('HSET', done, id, mark .. string.format('%.0f', at) .. ' ' .. told)
  redis.call('EXPIRE', done, terminalSeconds)
  if redis.call('HLEN', done) <= mostDone then return end
  local all, ids = redis.call('HGETALL', done), {}
  local since = {}
  for i = 1, #all, 2 do
    ids[#ids + 1] = all[i]
    since[all[i]] = tonumber(string.match(all[i + 1], '%d+'))
  end
  table.sort(ids, function(a, b) return since[a] < since[b] end)
  local gone = {}
  for i = 1, #ids - keptDone do
    local turn = string.match(ids[i], '^(.+)-first$')
    local isAwaited = turn and since[ids[i]] > at - beginningLivesMs and not fate(turn .. '-end')
    if not isAwaited then gone[#gone + 1] = ids[i] end
  end
  remove(done, gone)
end

-- Lost rows of this call, and the notice that is to tell of them.
local lost, notice = {}, nil

-- The notice that is still to be sent, or a new one at the head.
local function openNotice(life)
  local id = redis.call('LINDEX', key('obq'), 0)
  if id and isNotice(id) then
    local state, kept = unpack(redis.call('HMGET', row(id), 's', 'kept'))
    if state == 'queued' and (kept or id == notice) then return id end
  end
  told = told + 1
  id = freshId(noticeId)
  redis.call('HSET', row(id), 's', 'queued', 'n', 0, 'x', whole(at + noticeLivesMs), 'came', whole(at), 'nb', whole(at + noticeAfterMs),
    'early', 1, 'over', whole(at + life), 'q', freshId(questionId))
  redis.call('LPUSH', key('obq'), id)
  wake('out', at + noticeAfterMs)
  return id
end

-- A body of at most `keptBytes`: the text of a longer one is cut between two characters. Nothing if the rest alone is longer.
local function shorten(body)
  if #body <= keptBytes then return body end
  local _, open = string.find(body, '"text":"', 1, true)
  if not open then return end
  local close = string.find(body, '["\\]', open + 1)
  while string.sub(body, close, close) ~= '"' do close = string.find(body, '["\\]', close + 2) end
  local last = close - 1 - (#body - keptBytes) - #'…'
  local escape = string.find(body, '\\', open + 1, true)
  while escape and escape <= last do
    local past = escape + (string.sub(body, escape + 1, escape + 1) == 'u' and 6 or 2)
    if past > last + 1 then last = escape - 1 end
    escape = string.find(body, '\\', past, true)
  end
  while string.find(body, '^[\128-\191]', last + 1) do last = last - 1 end
  if last > open then return string.sub(body, 1, last) .. '…' .. string.sub(body, close) end
end

-- One notice tells all that was lost since the last one was sent. It is written once a call, however much is lost in it.
local function writeNotice()
  if #lost == 0 then return end
  local question, stored, before = unpack(redis.call('HMGET', row(notice), 'q', 'kept', 'b'))
  local kept = stored and cjson.decode(stored) or {}
  before = before or ''
  local count = tonumber(string.match(before, '"count":(%d+)') or '0') + #lost
  local outcome = string.match(before, '"outcome":"(%a+)"') or lost[1].state
  for i, one in ipairs(lost) do
    -- Of several with different ends it is true that they may not have arrived.
    if one.state ~= outcome then outcome = 'unknown' end
    if #lost - i < keptMost then kept[#kept + 1] = shorten(one.body) end
  end
  local bytes = 0
  for _, body in ipairs(kept) do bytes = bytes + #body end
  while #kept > keptMost or (#kept > 1 and bytes > keptBytes) do bytes = bytes - #table.remove(kept, 1) end
  if #kept > 0 then
    local payload = #kept == 1 and kept[1] or '[' .. table.concat(kept, ',') .. ']'
    local json = '{"v":1,"id":"' .. question .. '","kind":"' .. noticeKind .. '","owner":"*","options":["show"]}'
    local rest = '"about":"' .. noticeKind .. '","payload":' .. cjson.encode(payload)
    raise(question, json, rest, at)
    redis.call('HSET', P .. 'q:' .. question, 'rest', rest)
  end
  local last = lost[#lost]
  redis.call('HSET', row(notice), 'kept', #kept == 0 and '[]' or cjson.encode(kept), 'b',
    '{"v":1,"kind":"notice","answers":[],"language":"' .. (string.match(last.body, '"language":"(%a+)"') or 'en')
    .. '","about":' .. cjson.encode(last.id) .. ',"outcome":"' .. outcome .. '","question":"' .. (#kept > 0 and question or '')
    .. '","count":' .. count .. ',"kept":' .. #kept .. '}')
  lost = {}
end

local function tell(id, body, state, life)
  local open = openNotice(life)
  if open ~= notice then writeNotice() end
  notice = open
  lost[#lost + 1] = { id = id, body = body, state = state }
  redis.call('HSET', row(id), 'notice', notice)
end

-- When a row expires, and when it came in.
local function times(id) return numbers(row(id), 'x', 'came') end

-- So long an answer waits before newer ones go first, and a courtesy that they passed before it is given up.
local function patience(life) return life / 40 end

-- Whether more than cosmetic rows stand in the outbox from an index on.
local function isAnswerFrom(index)
  for _, id in ipairs(redis.call('LRANGE', key('obq'), index, index + mostCosmetic - 1)) do
    if not isCosmetic(redis.call('HGET', row(id), 'b') or '') then return true end
  end
  return redis.call('LLEN', key('obq')) > index + mostCosmetic
end
local function isAnswerBehind(id) return isAnswerFrom(redis.call('LPOS', key('obq'), id) + 1) end

-- Ends a row. An answer that is not known to have arrived is told: behind the next delivery, else after a minute.
local function finish(id, state, reason, receipt)
  local name = row(id)
  local asks = state ~= 'split' and redis.call('HGET', name, 'asks')
  local isDead = false
  if asks then
    check('in', 't', 'cards')
    isDead = asking().settle(asks, state, receipt, at)
  end
  if state == 'sent' or state == 'split' then
    remember(id, state == 'sent' and 's' or 'p', receipt)
    redis.call('DEL', name)
    redis.call('LREM', key('obq'), 1, id)
    if state == 'sent' and receipt ~= '' then recording().nameAnswer(id, receipt) end
    return
  end
  local body = redis.call('HGET', name, 'b') or ''
  local expires, came = times(id)
  redis.call('HSET', name, 's', state, 'why', reason, 'rc', receipt)
  redis.call('EXPIRE', name, terminalSeconds)
  redis.call('LREM', key('obq'), 1, id)
  if not isNotice(id) and has(body, '"kind":"send"') and not isPartial(body) and not isPlan(body) then tell(id, isDead and withoutButtons(body) or body, state, expires - came) end
  -- The notice has the text of what expired; its question has that of a notice. What is too long to be kept, nobody reads again.
  if state == 'expired' or isNotice(id) or #body > keptBytes then redis.call('HDEL', name, 'b', 'kept') end
end

-- The receipt of the message that a row changes: '' where it is a new one.
local function receiptOf(body)
  local replaces = string.match(body, '"replaces":"([^"]+)"')
  local _, receipt, last
  if replaces then _, receipt, last = fate(replaces) end
  -- Of a message sent in parts, and of a part in parts, the last one shows the buttons.
  local showing = has(body, '"kind":"unbutton"')
  while showing and last do _, receipt, last = fate(last) end
  -- A row is kept for two days at most, a button longer: its press named the message.
  if replaces and (receipt or '') == '' then receipt = string.match(body, '"replacesMessage":"([^"]+)"') end
  return receipt or '', replaces
end

-- An edit that is made twice shows once. What ends each sender must not hold up for long what waits behind it.
local function isEdit(body, attempts) return (tonumber(attempts) or mostEdits) < mostEdits and receiptOf(body) ~= '' end

local function begun(id, body, attempts)
  local _, came = times(id)
  local receipt, replaces = receiptOf(body)
  local editor = replaces and redis.call('HGET', key('c'), 'editor')
  return { 'ROW', id, body, attempts, receipt, editor and editor ~= owner and 1 or 0, whole(came) }
end

-- `c.editor` is who edits a growing reply. Who gives the lease back has ended its edits; the last edit of one that was lost may arrive
-- late, which is known until all is sent.
local function leave(result)
  redis.call('DEL', key('ol'))
  if result[1] == 'EMPTY' or redis.call('HGET', key('c'), 'editor') == owner then redis.call('HDEL', key('c'), 'editor') end
  return result
end

-- The receipt of the plan that a draft tells of. Who shows drafts edits its message too: should they be lost, an edit may arrive late.
-- It stands at the draft's end, in less than 6,000 bytes.
local function editsPlan(draft)
  local id = string.match(string.sub(draft, -6000), '"plan":{"row":"([^"]+)"')
  local state, receipt
  if id then state, receipt = fate(id) end
  if state ~= 'sent' then return '' end
  local editor = redis.call('HGET', key('c'), 'editor')
  redis.call('HSET', key('c'), 'editor', editor and editor ~= owner and 'lost' or owner)
  return receipt
end

-- The row to look at, how many wait behind it, and the notice that it passes.
local function head()
  local first, length = redis.call('LINDEX', key('obq'), 0), redis.call('LLEN', key('obq'))
  if not first or length == 1 or not isNotice(first) then return first, length - 1 end
  local state, notBefore, over = unpack(redis.call('HMGET', row(first), 's', 'nb', 'over'))
  local isOver = tonumber(over or '0') <= at and tonumber(notBefore or '0') <= at
  local live = redis.call('LINDEX', key('obq'), 1)
  if state == 'sending' or (isOver and redis.call('HGET', row(live), 's') ~= 'sending') then return first, length - 1 end
  return live, length - 2, first
end

-- `gone`: the sender that had the lease, where its process is gone. It begins no request any more, so nobody waits for the end of its last one.
local function passRows(gone)
  for _ = 1, 100 do
    local id, behind, passed = head()
    if not id then
      -- Who shows a draft keeps the lease.
      local draft = not leaving and redis.call('GET', key('draft'))
      rest('out')
      return draft and { 'EMPTY', draft, editsPlan(draft) } or leave({ 'EMPTY' })
    end
    if leaving then
      wake('out', at)
      return leave({ 'WAIT', 0 })
    end
    if isNotice(id) then writeNotice() end
    local name = row(id)
    local body, state, attempts, began, maybe, expires, notBefore, by, lastOp, hasPassed =
      unpack(redis.call('HMGET', name, 'b', 's', 'n', 't', 'm', 'x', 'nb', 'ow', 'op', 'passed'))
    began, expires, notBefore = began or '0', tonumber(expires or '0'), tonumber(notBefore or '0')
    hasPassed = hasPassed and tonumber(hasPassed)
    local isOld = hasPassed and hasPassed + patience(expires - hasPassed) < at
    local isToldToWait = state == 'queued' and notBefore > at and isCosmetic(body or '')
    -- `t`: when the last attempt began; `m`: the first one that may have arrived, kept as soon as nobody knows its end.
    maybe = maybe or state == 'sending' and began
    local isDeduped = maybe and at - maybe < dedupedMs
    if not (body and expires and notBefore) then
      error({ err = 'CORRUPT ' .. name .. ' is queued but missing or incomplete' })
    elseif state == 'sending' and by == owner and lastOp == op then
      return begun(id, body, attempts)
    elseif state == 'sending' and by ~= gone and not isDeduped and began + timeout + 2000 > at then
      rest('out')
      wake('out', began + timeout + 2000)
      return leave({ 'WAIT', began + timeout + 2000 - at })
    elseif maybe and (expires < at or not (isDeduped or isEdit(body, attempts))) then
      finish(id, 'unknown', 'nobody knows whether it arrived', '')
    elseif expires < at or (isPartial(body) and not maybe and isAnswerBehind(id)) then
      -- What it begins waits behind it, whole. One that may have arrived is sent again first, so that the platform says which message it is.
      finish(id, 'expired', 'not sent in time', '')
    elseif behind > 0 and ((isCourtesy(body) and state == 'queued' and notBefore == 0 and not hasPassed)
      or (isToldToWait and not isOld and isAnswerBehind(id))) then
      -- It counts as coming with the last one: rows are in the order of their times.
      local _, lastCame = times(redis.call('LINDEX', key('obq'), -1))
      redis.call('HSET', name, 'passed', whole(hasPassed or select(2, times(id))), 'came', whole(lastCame))
      redis.call('LREM', key('obq'), 1, id)
      redis.call('RPUSH', key('obq'), id)
    elseif isOld and state == 'queued' and isAnswerBehind(id) then
      finish(id, 'expired', 'answers went first', '')
    elseif notBefore > at then
      rest('out')
      wake('out', notBefore)
      -- Meanwhile an answer in the making is shown.
      local draft = isToldToWait and redis.call('GET', key('draft'))
      return draft and { 'EMPTY', draft, editsPlan(draft) } or leave({ 'WAIT', notBefore - at })
    else
      redis.call('HSET', name, 's', 'sending', 't', whole(at), 'ow', owner, 'op', op)
      if maybe then redis.call('HSET', name, 'm', maybe) end
      if passed and redis.call('HGET', row(passed), 'early') then redis.call('HSET', row(passed), 'nb', 0) end
      return begun(id, body, redis.call('HINCRBY', name, 'n', 1))
    end
  end
  return leave({ 'WAIT', 0 })
end

-- What was lost is told also when a row behind it is corrupt.
local function nextRow(gone)
  local isFine, result = pcall(passRows, gone)
  writeNotice()
  if not isFine then error(result) end
  return result
end
