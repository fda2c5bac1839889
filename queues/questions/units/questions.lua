-- Put after the timers for units that open or end questions. A question is `open`; with a deadline it is `asked` once its card was sent, or
-- nobody knows; then it is answered, or it expires: it goes, and its conversation is told by an event. `j` is its record
-- without the words of people; `rest`, the fields that its answer and its expiry carry, is never decoded, nor are the `labels` of its options.
-- One without a deadline ends silently. `task` is the address of the task that asks it: its answer and its end are told there.

-- Opens a question that has neither a deadline nor a topic, once; it goes with its time. Labels stand behind the rest, in a line of their own.
local function raise(id, json, rest, at, task)
  local q, longestMs = P .. 'q:' .. id, 1209600000
  if redis.call('EXISTS', q) == 1 then return false end
  local carried, labels = string.match(rest, '^([^\n]*)\n?(.*)$')
  redis.call('HSET', q, 'j', json, 'rest', carried, 'c', conv, 's', 'open')
  if labels ~= '' then redis.call('HSET', q, 'labels', labels) end
  if task then redis.call('HSET', q, 'task', task) end
  redis.call('PEXPIRE', q, math.min(tonumber(string.match(json, '"livesMs":(%d+)') or longestMs), longestMs))
  touch(at)
  return true
end

-- A message's body, which is JSON, without its buttons; they are never its first field.
local function withoutButtons(body)
  local from, at = string.find(body, ',"buttons":[', 1, true)
  local depth, isText = from and 1 or 0, false
  while depth > 0 and at < #body do
    at = at + 1
    local sign = string.sub(body, at, at)
    if isText and sign == '\\' then
      at = at + 1
    elseif sign == '"' then
      isText = not isText
    elseif not isText and (sign == '[' or sign == ']') then
      depth = depth + (sign == '[' and 1 or -1)
    end
  end
  return from and string.sub(body, 1, from - 1) .. string.sub(body, at + 1) or body
end

-- Made only by who needs it, as the timers are.
local function asking()
  local timers = timing()
  local longestOpenMs, awayMs, closedMs = 5184000000, 25920000000, 3600000

  -- `cards` says which question a message of the conversation shows, so that words in reply to it find the question; `card` of the question is its
  -- field there. One whose message nobody knows stands there under its own id.
  local mostCards = 1000
  local function displace(id, card)
    if card and redis.call('HGET', key('cards'), card) == id then redis.call('HDEL', key('cards'), card) end
  end
  local function place(id, card, message)
    if card and message == '' then return end
    displace(id, card)
    if redis.call('HLEN', key('cards')) >= mostCards then return end
    local field = message == '' and '.' .. id or message
    local other = redis.call('HGET', key('cards'), field)
    if other and other ~= id and redis.call('EXISTS', P .. 'q:' .. other) == 1 then
      redis.call('HSET', key('cards'), '.' .. other, other)
      redis.call('HSET', P .. 'q:' .. other, 'card', '.' .. other)
    end
    redis.call('HSET', key('cards'), field, id)
    redis.call('PEXPIRE', key('cards'), longestOpenMs + awayMs)
    redis.call('HSET', P .. 'q:' .. id, 'card', field)
  end

  -- `why`: its deadline passed, its card was not sent, another took its place, it was cancelled, or a press of it was stale, of which `more` has
  -- fields and only newer releases know. Tells whether this was its end.
  local function expire(id, why, at, more)
    local q = P .. 'q:' .. id
    local state, home, asker, rest, receipt, card, task = unpack(redis.call('HMGET', q, 's', 'c', 'asker', 'rest', 'receipt', 'card', 'task'))
    if home ~= conv or not asker or state == 'answered' then return false end
    local message = (receipt or '') ~= '' and '"messageId":' .. cjson.encode(receipt) .. ',' or ''
    if not rest then error({ err = 'CORRUPT ' .. q .. ' has nothing to tell' }) end
    -- What can fail comes before the first write.
    numbers(key('c'), 'seq')
    if task then within(task, check, 'c', 'in', 'dec') end
    timers.disarm('q.' .. id)
    displace(id, card)
    redis.call('DEL', q)
    local event = '{"v":' .. (why == 'stale' and 2 or 1) .. ',"kind":"expired","id":"' .. id .. '.' .. why .. '","at":' .. whole(at) .. ',"conversation":"' .. conv
      .. '","principal":"' .. asker .. '","question":"' .. id .. '","why":"' .. why .. '",' .. (more or '') .. message .. rest .. '}'
    within(task or conv, enqueue, event, at)
    return true, task
  end

  -- What became of a row, for the questions whose buttons it shows. The receipt of a card stays with its question as long as that lives; in a
  -- stream, which has none, the card is known by its row. `after` is the last event that came before it was asked, at `askedAt`; where nobody
  -- knew whether its card arrived, before that was known. One that could not be shown again is still where it was. Tells whether one
  -- ended for it, so that its buttons are of no use any more.
  local function settleAsked(questions, ended, receipt, at, shownAs)
    local isDead = false
    for id in string.gmatch(questions or '', '[^,]+') do
      local q = P .. 'q:' .. id
      local state, home, deadline, card, known = unpack(redis.call('HMGET', q, 's', 'c', 'deadline', 'card', 'receipt'))
      local isShown = ended == 'sent' or ended == 'unknown'
      if home == conv and deadline and state ~= 'answered' and isShown then
        redis.call('HSET', q, 's', 'asked')
        if receipt ~= '' then redis.call('HSET', q, 'receipt', receipt) end
        if state == 'open' or (receipt ~= '' and not known) then
          redis.call('HSET', q, 'after', numbers(key('c'), 'seq'), 'askedAt', whole(at))
        end
        if state == 'open' then
          redis.call('ZADD', P .. 'timers', 'XX', 'LT', whole(at + deadline), timers.member('q.' .. id))
        end
        place(id, card, receipt == '' and shownAs or receipt)
      elseif state == 'open' and not isShown then
        isDead = expire(id, 'unsent', at) or isDead
      end
    end
    return isDead
  end

  -- A conversation with very many timers, or whose questions keep very much, gives up those that would be the first to expire for the one that
  -- is asked now: its asker's own first.
  local mostKeptBytes, smallBytes = 4194304, 4096
  local function makeRoom(asker, bytes, at)
    local isFull = redis.call('HLEN', key('t')) >= timers.mostWithQuestions
    if not isFull and bytes <= smallBytes then return end
    local all, open, members = redis.call('HGETALL', key('t')), {}, {}
    for i = 1, #all, 2 do
      local id = string.match(all[i], '^q%.(.+)$')
      if id then
        open[#open + 1] = { id = id, isOwn = all[i + 1] == asker, length = 0 }
        members[#members + 1] = timers.member(all[i])
      end
    end
    if #open == 0 then return end
    local kept = bytes
    for i, due in ipairs(redis.call('ZMSCORE', P .. 'timers', unpack(members))) do
      open[i].due = tonumber(due or '0')
      if not isFull then open[i].length = redis.call('HSTRLEN', P .. 'q:' .. open[i].id, 'rest') end
      kept = kept + open[i].length
    end
    local function goesBefore(a, b)
      if a.isOwn ~= b.isOwn then return a.isOwn end
      if a.due ~= b.due then return a.due < b.due end
      return a.id < b.id
    end
    while #open > 0 and (isFull or kept > mostKeptBytes) do
      local first = 1
      for i = 2, #open do if goesBefore(open[i], open[first]) then first = i end end
      local one = table.remove(open, first)
      expire(one.id, 'replaced', at)
      timers.disarm('q.' .. one.id)
      kept, isFull = kept - one.length, false
    end
  end

  -- Opens a question, once; one with a deadline is answered or expires, after sixty days at the latest. On each topic one is open, and on so
  -- many topics at most: another one ends for it, or was answered, which is still told for an hour.
  local mostAsked = 100
  -- A topic whose question has ended, or whichever there is.
  local function findEnded(topics)
    for i = 1, #topics, 2 do
      local state = redis.call('HGET', P .. 'q:' .. topics[i + 1], 's')
      if state ~= 'open' and state ~= 'asked' then return topics[i] end
    end
    return topics[1]
  end
  -- Whether words are a remark to it: a new look of its card is asked on its topic, and who sees the old one may go on replying to it.
  local function takesRemarks(json)
    return json and string.find(json, '"acts":"stop"', 1, true) and string.find(json, '"words":true', 1, true) and true
  end
  local function ask(id, json, rest, at, task)
    if not raise(id, json, rest, at, task) then return end
    local q, former = P .. 'q:' .. id, nil
    local topic = string.match(json, '"topic":"([^"]+)"')
    if topic then
      local topics = key('asked')
      local isFull = redis.call('HEXISTS', topics, topic) == 0 and redis.call('HLEN', topics) >= mostAsked
      local closed = isFull and findEnded(redis.call('HGETALL', topics)) or topic
      local before = redis.call('HGET', topics, closed) or ''
      -- One that was called off, and is asked again by the same step, stands there still.
      if before == id then before = '' end
      local name = P .. 'q:' .. before
      local state, deadline, was, field, receipt, after, since = unpack(redis.call('HMGET', name, 's', 'deadline', 'j', 'card', 'receipt', 'after', 'askedAt'))
      local isLook = closed == topic and deadline and state ~= 'answered' and takesRemarks(json) and takesRemarks(was)
      if isLook and state == 'asked' and since then
        former = { field = field or '', receipt = receipt, after = after or '0', since = since }
      end
      -- The card is the same one: nobody is told that the old look ended, which would take the buttons off the new one; and who presses the old one, while the edit
      -- waits to be sent, has pressed.
      if isLook then
        timers.disarm('q.' .. before)
        displace(before, field)
        redis.call('HDEL', name, 'deadline', 'asker', 'card', 'labels')
        redis.call('HSET', name, 's', 'asked')
        redis.call('PEXPIRE', name, closedMs)
      elseif not (deadline and state ~= 'answered' and expire(before, 'replaced', at)) then
        redis.call('PEXPIRE', name, state == 'answered' and closedMs or 0)
      end
      redis.call('HDEL', topics, closed)
      redis.call('HSET', topics, topic, id)
      redis.call('PEXPIRE', topics, longestOpenMs)
    end
    local deadline, asker = string.match(json, '"deadlineMs":(%d+)'), string.match(json, '"asker":"([^"]+)"')
    if deadline and asker then
      redis.call('HSET', q, 'deadline', deadline, 'asker', asker, 'since', numbers(key('c'), 'seq'))
      redis.call('PEXPIRE', q, longestOpenMs + awayMs)
      makeRoom(asker, #rest, at)
      timers.arm('q.' .. id, asker, at + (former and math.min(longestOpenMs, tonumber(deadline)) or longestOpenMs))
      if former then
        redis.call('HSET', q, 's', 'asked', 'after', former.after, 'askedAt', former.since)
        if former.receipt then redis.call('HSET', q, 'receipt', former.receipt) end
        place(id, nil, string.sub(former.field, 1, 1) == '.' and '' or former.field)
      end
    end
  end

  -- Ends open questions that have a deadline: all of the conversation (`*`), those asked for one person, or the one on a topic (`#<topic>`). A task calls off
  -- its own, and its home none of a task's; where nothing can be sent any more those of all end (`**`), but for those of a task that cannot be told.
  local function cancel(what, at, task)
    local topic = string.match(what, '^#(.+)$')
    if topic then return expire(redis.call('HGET', key('asked'), topic) or '', 'cancelled', at) end
    local all = redis.call('HGETALL', key('t'))
    for i = 1, #all, 2 do
      local id = string.match(all[i], '^q%.(.+)$')
      local isMeant = id and (what == '*' or what == '**' or all[i + 1] == what)
      local whose = isMeant and (redis.call('HGET', P .. 'q:' .. id, 'task') or nil)
      if isMeant and what == '**' and whose then
        pcall(expire, id, 'cancelled', at)
      elseif isMeant and (what == '**' or whose == (task or nil)) then
        expire(id, 'cancelled', at)
      end
    end
  end
  return { ask = ask, expire = expire, cancel = cancel, settle = settleAsked, displace = displace }
end
