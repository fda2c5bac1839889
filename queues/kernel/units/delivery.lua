-- Put before begin and settle: the sender's lease and the head of the outbox.
local owner, ttl, timeout, dedupedMs, leaving, op, noticeId, questionId =
  ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == 'leave', ARGV[7], ARGV[8], ARGV[9]
local at = now()
local terminalSeconds = 48 * 3600
local noticeAfterMs = 60000

-- Bodies are read by patterns, not decoded: a quote inside a JSON string is escaped, so `"kind":"send"` can only be the field, and
-- cjson would turn empty lists into objects.
local function isPartial(body) return string.find(body, '"partial":true', 1, true) end

-- Fresh ids for one call: the caller's random id with a counter in its last two places.
local told = 0
local function freshId(id)
  return string.sub(id, 1, -3) .. string.format('%02d', told)
end

-- A row that was sent is kept as `<s|p><when, ms> <receipt, or the last part>`: so many at most, the newest ones. Of the parts of a row only
-- the last one is ever asked for.
local mostDone, keptDone = 120, 60
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
  redis.call('HDEL', done, unpack(ids, 1, #ids - keptDone))
end

-- Ends a row. An answer that is not known to have arrived is told: at the next delivery, else after a minute.
local function finish(id, state, reason, receipt)
  local name = row(id)
  if state == 'sent' or state == 'split' then
    remember(id, state == 'sent' and 's' or 'p', receipt)
    redis.call('DEL', name)
    redis.call('LREM', key('obq'), 1, id)
    return
  end
  local body = redis.call('HGET', name, 'b') or ''
  redis.call('HSET', name, 's', state, 'why', reason, 'rc', receipt)
  redis.call('EXPIRE', name, terminalSeconds)
  redis.call('LREM', key('obq'), 1, id)
  if isPartial(body) or not string.find(body, '"kind":"send"', 1, true) then return end
  told = told + 1
  local shown, noticeRow = freshId(questionId), freshId(noticeId)
  ask(shown, '{"v":1,"id":"' .. shown
    .. '","kind":"show-again","owner":"*","options":["show"],"payload":' .. cjson.encode(body) .. '}')
  local language = string.match(body, '"language":"(%a+)"') or 'en'
  redis.call('HSET', row(noticeRow), 's', 'queued', 'n', 0, 'x', string.format('%.0f', at + 86400000),
    'nb', string.format('%.0f', at + noticeAfterMs), 'about', id, 'b', '{"v":1,"kind":"notice","answers":[],"language":"' .. language
    .. '","about":' .. cjson.encode(id) .. ',"outcome":"' .. state .. '","question":"' .. shown .. '"}')
  redis.call('HSET', name, 'notice', noticeRow)
  redis.call('LPUSH', key('obq'), noticeRow)
  wake('out', at + noticeAfterMs)
end

local function begun(id, body, attempts)
  local replaces = string.match(body, '"replaces":"([^"]+)"')
  local _, receipt, last
  if replaces then _, receipt, last = fate(replaces) end
  -- Of a message sent in parts, and of a part in parts, the last one shows the buttons.
  local showing = string.find(body, '"kind":"unbutton"', 1, true)
  while showing and last do _, receipt, last = fate(last) end
  -- A row is kept for two days at most, a button longer: its press named the message.
  if replaces and (receipt or '') == '' then receipt = string.match(body, '"replacesMessage":"([^"]+)"') end
  return { 'ROW', id, body, attempts, receipt or '' }
end

local function leave(result)
  redis.call('DEL', key('ol'))
  return result
end

local function nextRow()
  for _ = 1, 100 do
    local id = redis.call('LINDEX', key('obq'), 0)
    if not id then
      -- Who shows a draft keeps the lease.
      local draft = not leaving and redis.call('GET', key('draft'))
      rest('out')
      return draft and { 'EMPTY', draft } or leave({ 'EMPTY' })
    end
    if leaving then
      wake('out', at)
      return leave({ 'WAIT', 0 })
    end
    local name = row(id)
    local body, state, attempts, began, maybe, expires, notBefore, by, lastOp, about =
      unpack(redis.call('HMGET', name, 'b', 's', 'n', 't', 'm', 'x', 'nb', 'ow', 'op', 'about'))
    began, expires, notBefore = began or '0', tonumber(expires or '0'), tonumber(notBefore or '0')
    -- `t`: when the last attempt began; `m`: the first one that may have arrived, kept as soon as nobody knows its end.
    maybe = maybe or state == 'sending' and began
    local isDeduped = maybe and at - maybe < dedupedMs
    if not body then
      error({ err = 'CORRUPT ' .. name .. ' is queued but missing' })
    elseif state == 'sending' and by == owner and lastOp == op then
      return begun(id, body, attempts)
    elseif state == 'sending' and not isDeduped and began + timeout + 2000 > at then
      rest('out')
      wake('out', began + timeout + 2000)
      return leave({ 'WAIT', began + timeout + 2000 - at })
    elseif maybe and (not isDeduped or expires < at) then
      finish(id, 'unknown', 'nobody knows whether it arrived', '')
    elseif expires < at or (isPartial(body) and redis.call('LLEN', key('obq')) > 1) then
      -- What it begins waits behind it, whole.
      finish(id, 'expired', 'not sent in time', '')
    elseif notBefore > at and not (about and redis.call('LLEN', key('obq')) > 1) then
      rest('out')
      wake('out', notBefore)
      return leave({ 'WAIT', notBefore - at })
    else
      redis.call('HSET', name, 's', 'sending', 't', string.format('%.0f', at), 'ow', owner, 'op', op)
      if maybe then redis.call('HSET', name, 'm', maybe) end
      return begun(id, body, redis.call('HINCRBY', name, 'n', 1))
    end
  end
  return leave({ 'WAIT', 0 })
end
