-- Put after the questions for units by which people answer them: a press, or words that the router found to be an answer. Made only by who
-- needs it, as the timers are. `found` is a question as `find` reads it.
local function answering()
  local timers, questions = timing(), asking()
  local mostLooked, mostLookedBytes, keptMs = 200, 262144, 1209600000

  -- Nothing, and why, where there is none that can be read.
  local function find(id)
    local q = P .. 'q:' .. id
    expect(q, 'hash')
    local json, rest, home, state, by, chosen, wonBy, deadline, after, since, card, stale, task =
      unpack(redis.call('HMGET', q, 'j', 'rest', 'c', 's', 'by', 'choice', 'ev', 'deadline', 'after', 'since', 'card', 'stale', 'task'))
    if not json or not rest or not home then return nil, { 'UNKNOWN' } end
    local readable, record = pcall(cjson.decode, json)
    if readable and type(record) == 'table' and (tonumber(record.v) or 0) > 1 then return nil, { 'NEWER' } end
    if not readable or type(record) ~= 'table' or record.v ~= 1 or type(record.options) ~= 'table' then
      return nil, { 'CORRUPT', home, 'CORRUPT ' .. q .. ' is not a question of version 1' }
    end
    return {
      id = id, q = q, json = json, rest = rest, home = home, state = state, by = by, chosen = chosen, wonBy = wonBy,
      deadline = deadline, after = tonumber(after or '0'), since = tonumber(since or after or '0'), card = card, record = record,
      stale = stale, task = task or nil,
    }
  end

  local function offers(found, choice)
    for _, option in ipairs(found.record.options) do
      if option == choice then return true end
    end
    return false
  end

  local function isAllowed(found, actor, asAdmin)
    local owner = found.record.owner
    return owner == '*' or owner == actor or (found.record.admins and asAdmin)
  end

  -- Its deadline has passed, and nobody has seen to it yet. One whose timer is lost can be answered.
  local function isOver(found, at)
    local due = found.deadline and redis.call('ZSCORE', P .. 'timers', conv .. ' q.' .. found.id)
    return due and tonumber(due) <= at
  end

  -- What people said that the bot has not read, as seq, who and event: messages, edits, and words that were an answer. Looked at once a call; nothing
  -- where very much waits.
  local said
  local function unread()
    if said ~= nil then return said end
    said = false
    if redis.call('HLEN', key('in')) > mostLooked then return said end
    local seqs, bytes = redis.call('HKEYS', key('in')), 0
    for _, seq in ipairs(seqs) do bytes = bytes + redis.call('HSTRLEN', key('in'), seq) end
    if bytes > mostLookedBytes then return said end
    said = {}
    for i, event in ipairs(#seqs > 0 and redis.call('HMGET', key('in'), unpack(seqs)) or {}) do
      -- Inside of what somebody says quotes are escaped, so these are fields.
      local isSaid = string.find(event, '"kind":"message"', 1, true) or string.find(event, '"kind":"edit"', 1, true) or string.find(event, '"said":true', 1, true)
      if isSaid then said[#said + 1] = { tonumber(seqs[i]), string.match(event, '"principal":"([^"]*)"'), event } end
    end
    return said
  end

  -- Whether who answers, who may, or for whom it was asked has said something since it was raised that the bot has not read; `own` is what
  -- they answer by. Where very much waits this is not known, and taken for so. Then the newest event that makes it so, where one is known.
  local function isStale(found, actor, own)
    if not found.record.stales then return false end
    if not unread() then return true end
    local newest, words = found.since, nil
    for _, one in ipairs(unread()) do
      local seq, who, event = unpack(one)
      local isTheirs = who == actor or who == found.record.asker or who == found.record.owner
      if isTheirs and seq > newest and seq ~= own then newest, words = seq, event end
    end
    return words ~= nil, words
  end

  -- What it kept of people's words goes with its end, and stays nowhere else.
  local function withoutPayload(rest)
    local open = string.find(rest, ',"payload":"', 1, true)
    return open and string.sub(rest, 1, open) .. '"payload":""' or rest
  end

  -- Names words for whoever quotes them: their event, who said them, and the message that says them. Nothing where they cannot be read.
  local function toUnread(words)
    local isFine, event = pcall(cjson.decode, words or '')
    if not isFine or type(event) ~= 'table' or type(event.id) ~= 'string' then return '' end
    local message = event.messageId
    -- The message of an answer is the card that was answered.
    if event.kind == 'answer' then message = type(event.messages) == 'table' and event.messages[1] or nil end
    if type(message) ~= 'string' then message = nil end
    return '"unread":' .. cjson.encode({ event = event.id, by = event.principal, kind = event.kind, message = message }) .. ','
  end

  -- Ends what guards something by a press that came too early, so that its feature may ask anew: its conversation is told, once. Who presses
  -- then is told the same. One without a deadline stays open.
  local function spoil(found, actor, words, eventId, at)
    if not questions.expire(found.id, 'stale', at, toUnread(words)) then return end
    local record = { 's', 'answered', 'by', actor, 'choice', '', 'ev', eventId, 'stale', '1', 'c', found.home }
    redis.call('HSET', found.q, 'j', found.json, 'rest', withoutPayload(found.rest), unpack(record))
    if found.task then redis.call('HSET', found.q, 'task', found.task) end
    redis.call('PEXPIRE', found.q, keptMs)
  end

  -- Ends it by this answer. Gives the fields that the answer carries, so that whoever applies it need not read the question.
  local function win(found, actor, choice, eventId)
    local q = found.q
    redis.call('HSET', q, 's', 'answered', 'by', actor, 'choice', choice, 'ev', eventId, 'rest', withoutPayload(found.rest))
    if found.deadline then
      redis.call('HDEL', q, 'labels', 'card')
      timers.disarm('q.' .. found.id)
      questions.displace(found.id, found.card)
      redis.call('PEXPIRE', q, keptMs)
    end
    return found.rest
  end

  -- What was said is one of the messages that the answer is about. A quote inside a JSON string is escaped, so this can only be the field.
  local function withMessage(carried, message)
    if message == '' then return carried end
    local _, open = string.find(carried, '"messages":[', 1, true)
    if not open then return '"messages":[' .. message .. '],' .. carried end
    local comma = string.sub(carried, open + 1, open + 1) == ']' and '' or ','
    return string.sub(carried, 1, open) .. message .. comma .. string.sub(carried, open + 1)
  end

  -- Words that are an answer, where they can still be one: their event becomes the answer, in its place; that of a task's question goes to the task. To what acts at once, words are a
  -- remark: they neither act nor end it. Else what was decided for that case
  -- holds. `said` is, in lines: ignored otherwise?, question, actor, choice, as administrator?, message id as JSON, decision, event.
  local function say(seq, otherwise, said, at)
    local ignored, id, actor, choice, asAdmin, message, decision, event =
      string.match(said, '^(%d)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n(%d)\n([^\n]*)\n([^\n]*)\n(.*)$')
    local isFine, found = pcall(find, id)
    if not isFine or not found or found.home ~= conv or found.state ~= 'asked' or seq <= found.after then
      return otherwise, ignored
    end
    local isRemark = found.record.acts ~= nil
    if isRemark and (choice ~= '' or not found.record.words) then return otherwise, ignored end
    local loose = found.record.loose
    local takesWords = found.record.words == true or (loose and loose ~= 'option')
    local isChoice = choice == '' and takesWords or offers(found, choice)
    if not isChoice or not isAllowed(found, actor, asAdmin == '1') or isOver(found, at) or isStale(found, actor, seq) then
      return otherwise, ignored
    end
    if redis.call('HEXISTS', key('in'), seq) == 0 then return otherwise, ignored end
    if found.task and not pcall(within, found.task, check, 'c', 'in', 'dec') then return otherwise, ignored end
    local eventId = string.match(event, '"id":"([^"]+)"') or ''
    local carried = withMessage(isRemark and found.rest or win(found, actor, choice, eventId), message)
    local answer = string.sub(event, 1, -2) .. ',' .. carried .. '}'
    if found.task then
      within(found.task, enqueue, answer, at)
      return '', '1', found.task
    end
    redis.call('HSET', key('in'), seq, answer)
    return decision, '0'
  end
  return { find = find, offers = offers, isAllowed = isAllowed, isOver = isOver, isStale = isStale, spoil = spoil, win = win, say = say }
end
