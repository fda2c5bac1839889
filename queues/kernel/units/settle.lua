-- conversation, sender..., op, row, outcome, reason, receipt, retry after, part bodies... (of a failure: `closed`, if the chat is) -> as begin
local function cameAt(index) return select(2, times(redis.call('LINDEX', key('obq'), index))) end

-- Rows from `first` on are in the order of their times: the index of the first one that came no earlier than `since`.
local function firstSince(since, first, last)
  while first < last do
    local middle = math.floor((first + last) / 2)
    if cameAt(middle) >= since then last = middle else first = middle + 1 end
  end
  return first
end

-- The budget gives `id` a permit only in `afterMs`, and each row behind it as much later. When the last would wait too long, those that came
-- with the newest pass the older ones; when these can no longer all be sent, and more keep coming than go, no more are to be made.
local function makeWay(id, afterMs)
  local queue = key('obq')
  local expires, came = times(id)
  local life = expires - came
  local index = redis.call('LPOS', queue, id)
  local waiting = redis.call('LLEN', queue) - 1 - (index or 0)
  if isNotice(id) or isCosmetic(redis.call('HGET', row(id), 'b') or '') or not index or waiting * afterMs <= patience(life) then return end
  for _ = 1, 100 do
    local nextId = redis.call('LINDEX', queue, redis.call('LPOS', queue, id) + 1)
    if not nextId or times(nextId) >= at then break end
    finish(nextId, 'expired', 'not sent in time', '')
  end
  local following, last = redis.call('LPOS', queue, id) + 1, redis.call('LLEN', queue) - 1
  if last < following then return end
  local newest = cameAt(last)
  if at - newest > life / 5 then return end
  local since = newest - patience(life)
  local fresh = cameAt(following) >= since and following or firstSince(since, following + 1, last)
  local lately = at - patience(life)
  local recent = last + 1 - firstSince(lately, following + 1, last + 1) + (cameAt(following) >= lately and 1 or 0)
  if (last - following + 1) * afterMs > life and recent * afterMs > patience(life) then
    redis.call('SET', key('congested'), 1, 'PX', math.max(1, math.min(2 * afterMs, 60000)))
  end
  -- Parts of one message stay together, in order.
  if fresh == following or string.match(redis.call('LINDEX', queue, following), '%.%d+$') then return end
  for i = fresh, math.min(last, fresh + 8) do
    local newer = redis.call('LINDEX', queue, i)
    if not isCourtesy(redis.call('HGET', row(newer), 'b') or '') then
      redis.call('LREM', queue, -1, newer)
      redis.call('LINSERT', queue, 'AFTER', id, newer)
      return
    end
  end
end

-- What was lost has arrived after all.
local function takeBack(notice)
  if not notice then return end
  local state, body, question = unpack(redis.call('HMGET', row(notice), 's', 'b', 'q'))
  if state ~= 'queued' then return end
  local count = tonumber(string.match(body, '"count":(%d+)') or '1')
  if count > 1 then
    redis.call('HSET', row(notice), 'b', (string.gsub(body, '"count":%d+', '"count":' .. count - 1)))
  else
    redis.call('LREM', key('obq'), 1, notice)
    redis.call('DEL', row(notice))
    if question then redis.call('DEL', P .. 'q:' .. question) end
  end
end

local id, outcome, reason, receipt, retryMs = ARGV[11], ARGV[12], ARGV[13], ARGV[14], tonumber(ARGV[15])
check('obq', 'ol', 'done', 'c', 'in', 't', ARGV[16] == 'closed' and 'cards' or nil)
expect(row(id), 'hash')
local state, by, begunOp, began, maybe = unpack(redis.call('HMGET', row(id), 's', 'ow', 'op', 't', 'm'))
maybe = outcome == 'unknown' and (maybe or began or '0')
-- The call names the attempt that it begins. Where the row already carries that name, this call was made before and its reply was lost:
-- then nothing is to be done. `sent` is taken from anybody, since it is true whoever says it. Any other end is taken from the sender
-- that has the row now: one that lost its lease must not end an attempt of the next one.
if state == 'sending' and begunOp ~= op and (outcome == 'sent' or by == owner) then
  if outcome == 'split' then
    local expires, came = times(id)
    for i = #ARGV, 16, -1 do
      local part = id .. '.' .. (i - 15)
      redis.call('HSET', row(part), 'b', ARGV[i], 's', 'queued', 'n', 0, 'x', whole(expires), 'came', whole(came))
      redis.call('LINSERT', key('obq'), 'AFTER', id, part)
    end
    -- The last part shows the buttons.
    local asks, last = redis.call('HGET', row(id), 'asks'), id .. '.' .. (#ARGV - 15)
    if asks then redis.call('HSET', row(last), 'asks', asks) end
    finish(id, 'split', '', last)
  elseif outcome ~= 'retry' and outcome ~= 'later' and outcome ~= 'left' and not (maybe and at - maybe < dedupedMs) then
    finish(id, outcome, reason, receipt)
    if outcome == 'failed' and ARGV[16] == 'closed' then asking().cancel('**', at) end
  elseif isCosmetic(redis.call('HGET', row(id), 'b') or '') and redis.call('LLEN', key('obq')) > mostCosmetic then
    finish(id, 'expired', 'answers went first', '')
  else
    redis.call('HSET', row(id), 's', 'queued', 'nb', whole(at + retryMs), 'why', reason)
    if maybe then redis.call('HSET', row(id), 'm', maybe) end
    if outcome == 'later' or outcome == 'left' then redis.call('HINCRBY', row(id), 'n', -1) end
    if outcome == 'later' then
      -- A broken row behind it costs at most the order: it is met when its turn comes, after those before it.
      pcall(makeWay, id, retryMs)
    end
    -- Without `early` a notice keeps its distance too, though a row was sent after it.
    redis.call('HDEL', row(id), 'early')
  end
elseif state == 'unknown' and outcome == 'sent' then
  redis.call('HSET', row(id), 's', 'sent', 'rc', receipt)
  recording().nameAnswer(id, receipt)
  local asks = redis.call('HGET', row(id), 'asks')
  if asks then asking().settle(asks, 'sent', receipt, at) end
  takeBack(redis.call('HGET', row(id), 'notice'))
end
local holder = redis.call('GET', key('ol'))
if parked() or (holder and holder ~= owner) then writeNotice() end
if holder and holder ~= owner then return { 'HELD' } end
if parked() then return leave({ 'EMPTY' }) end
redis.call('SET', key('ol'), owner, 'PX', ttl)
return nextRow()
