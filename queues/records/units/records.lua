-- Put after the prelude for units that write records, blank them or give them up. What a record says stands in the hash `tr` of its
-- conversation: `<id>` is its text, `<id>/` its place in the order of writing and then the platform's messages that it came of (`@<message>`)
-- or by which it was answered (`><message>`), a line each; `<id>#` counts the feedback on it, in all and on a line for each person. Each of these
-- messages leads to the records that it belongs to by members of the set `tm`, `*` to all of the conversation.
-- The stream `records` of the partition names all records in the order of writing, and what happened to them
-- later: `<kind> <conversation> <id of the record>`, and on the next line what that itself says. Only texts of records are words of people.
-- `recorded` counts the bytes of both, with about what Redis needs around each, and how many lines were given up before their time.
-- Made only by who needs it, as the timers are.
local function recording()
  local mostKeptBytes, lineBytes, mostGivenUp, mostUnlinked = 16777216, 150, 200, 500
  local mostFeedback, mostOfOne, mostInLine, mostLookedAt = 200, 20, 100, 16

  local function expectRecords()
    expect(key('tr'), 'hash')
    expect(key('tm'), 'zset')
    expect(P .. 'records', 'stream')
    numbers(P .. 'recorded', 'bytes', 'lost')
  end

  -- Names rise with Redis' time, also where that was set back: who reads on from one misses none. Returns the line's name.
  local function writeLine(kind, id, text, at)
    local log = P .. 'records'
    local line = kind .. ' ' .. conv .. ' ' .. id .. '\n' .. text
    local function add(ms) return redis.pcall('XADD', log, ms .. '-*', 'l', line) end
    local added = add(whole(at))
    if type(added) == 'string' then return added end
    local info = redis.call('XINFO', 'STREAM', log)
    for i = 1, #info, 2 do
      if info[i] == 'last-generated-id' then return redis.call('XADD', log, string.match(info[i + 1], '^%d+') .. '-*', 'l', line) end
    end
  end
  local function weighLine(id, text) return lineBytes + #text + #id end

  local function linesOf(messages) return string.gmatch(messages or '', '[^\n]+') end
  local function weighLink(message, id) return 150 + 2 * #message + #id end
  local function weigh(length, messages, id)
    local bytes = 300 + length
    for message in linesOf(messages) do bytes = bytes + weighLink(message, id) end
    return bytes
  end
  -- The messages of a record, and its place, if that is known.
  local function messagesOf(name, id)
    local order, messages = string.match(redis.call('HGET', name, id .. '/') or '', '^(%d+%-%d+)\n?(.*)$')
    return messages or '', order
  end

  local function toOrder(name)
    local ms, n = string.match(name, '^(%d+)%-(%d+)$')
    return string.format('%014.0f-%06.0f', tonumber(ms), tonumber(n))
  end
  local function toLink(from, order, id) return from .. '\n' .. order .. '\n' .. id end
  local function idOf(link) return string.match(link, '[^\n]*$') end
  local function linksFrom(from, most) return redis.call('ZRANGEBYLEX', key('tm'), '[' .. from .. '\n', '(' .. from .. '\11', 'LIMIT', 0, most) end
  local function unlinkAll(name, links)
    for from = 1, #links, 1000 do redis.pcall('ZREM', name, unpack(links, from, math.min(from + 999, #links))) end
  end

  -- Takes away what records say; then, by `finish`, what leads to them. `isEnough` says whether that will be as much as one call should do.
  local function blanking()
    local links, count = {}, 0
    local function blank(conversation, id)
      local name = P .. 'tr:' .. conversation
      local length = redis.call('HSTRLEN', name, id)
      if length == 0 then return 0 end
      local messages, order = messagesOf(name, id)
      redis.call('HDEL', name, id, id .. '/', id .. '#')
      local own = links[conversation] or {}
      links[conversation], count = own, count + 1
      if order then own[#own + 1] = toLink('*', order, id) end
      for message in linesOf(messages) do
        count = count + 1
        own[#own + 1] = toLink(message, order, id)
      end
      return weigh(length, messages, id)
    end
    local function finish()
      for conversation, own in pairs(links) do unlinkAll(P .. 'tm:' .. conversation, own) end
    end
    return blank, finish, function() return count >= mostUnlinked end
  end

  -- Gives up the first lines, so long as `isOver` says so of their names and of the bytes that are kept: some hundred at most. Returns how many.
  local function giveUp(isOver)
    local log, kept = P .. 'records', tonumber(redis.call('HGET', P .. 'recorded', 'bytes') or '0')
    local gone, bytes = {}, 0
    local blank, finish, isEnough = blanking()
    while #gone < mostGivenUp do
      local lines = redis.call('XRANGE', log, '-', '+', 'COUNT', math.min(10, mostGivenUp - #gone))
      local names = {}
      for _, line in ipairs(lines) do
        if isEnough() or not isOver(line[1], kept - bytes) then break end
        local kind, conversation, id, text = string.match(line[2][2] or '', '^(%S+) (%S+) ?([^\n]*)\n(.*)$')
        bytes = bytes + weighLine(id or '', text or '')
        if kind == 'turn' or kind == 'work' then
          local isFine, freed = pcall(blank, conversation, id)
          bytes = bytes + (isFine and freed or 0)
        end
        names[#names + 1], gone[#gone + 1] = line[1], line[1]
      end
      if #names > 0 then redis.call('XDEL', log, unpack(names)) end
      if #names < 10 then break end
    end
    finish()
    -- What was counted and is no more, as after the loss of a key, is not counted for ever.
    if #gone > 0 then redis.call('HSET', P .. 'recorded', 'bytes', redis.call('XLEN', log) == 0 and '0' or whole(math.max(0, kept - bytes))) end
    return #gone
  end

  local function count(bytes)
    if redis.call('HINCRBY', P .. 'recorded', 'bytes', bytes) <= mostKeptBytes then return end
    local lost = giveUp(function(_, kept) return kept > mostKeptBytes end)
    if lost > 0 then redis.call('HINCRBY', P .. 'recorded', 'lost', lost) end
  end

  -- Lines are counted before they are written: nothing is, where the count is broken.
  local function addLine(kind, id, text, at, bytes)
    count(weighLine(id, text) + bytes)
    return writeLine(kind, id, text, at)
  end

  -- Blanks what these links lead to, the first ones where that is too much for one call. Returns the bytes and the ids.
  local function blankAll(links)
    local blank, finish, isEnough = blanking()
    local bytes, gone, followed = 0, {}, {}
    for i, link in ipairs(links) do
      if isEnough() then break end
      followed[i], gone[i] = link, idOf(link)
      bytes = bytes + blank(conv, gone[i])
    end
    finish()
    -- Also those that led to nothing.
    unlinkAll(key('tm'), followed)
    return bytes, gone
  end

  local function toForgotten(messages, why) return '{"v":1,"messages":' .. cjson.encode(messages) .. ',"why":"' .. why .. '"}' end

  -- Messages that no record is known of any more share a line, written anew behind what others wrote meanwhile: who deletes very much
  -- pushes out nobody else's records.
  local function addUnknown(message, why, at)
    local log, head, messages = P .. 'records', 'forgotten ' .. conv .. ' \n', {}
    for _, line in ipairs(redis.call('XREVRANGE', log, '+', '-', 'COUNT', mostLookedAt)) do
      local text = line[2][2] or ''
      if string.match(text, '^%S+ (%S+)') == conv then
        local readable, says = pcall(cjson.decode, string.sub(text, 1, #head) == head and string.sub(text, #head + 1) or '')
        if readable and says.v == 1 and says.why == why and #says.messages < mostInLine then
          messages = says.messages
          for _, known in ipairs(messages) do
            if known == message then return end
          end
          redis.call('XDEL', log, line[1])
          redis.call('HINCRBY', P .. 'recorded', 'bytes', -weighLine('', string.sub(text, #head + 1)))
        end
        break
      end
    end
    messages[#messages + 1] = message
    addLine('forgotten', '', toForgotten(messages, why), at, 0)
  end

  -- What is known of a message goes, some hundred records in a call, and readers are told; where nothing is known only `always`, since they may
  -- have read it long ago. Returns whether more may be left; with `leaves` nothing is done where one call is enough.
  local function blankMessage(message, why, always, at, leaves)
    local links = linksFrom('@' .. message, mostGivenUp)
    if #links == 0 then
      if always then addUnknown(message, why, at) end
      return false
    end
    if leaves and #links < mostGivenUp then
      local many = 0
      for _, link in ipairs(links) do
        many = many + 2 + select(2, string.gsub(messagesOf(key('tr'), idOf(link)), '\n', ''))
      end
      if many < mostUnlinked then return false end
    end
    local bytes, gone = blankAll(links)
    addLine('forgotten', table.concat(gone, ' '), toForgotten({ message }, why), at, -bytes)
    return #gone < #links or #gone == mostGivenUp
  end

  -- What the conversation's records say goes, some hundred in a call; of `orphans` only what no line names any more, as after the loss of the
  -- partition's key. Returns whether more may be left.
  local function blankSome(orphans)
    local links = linksFrom('*', mostGivenUp)
    local first = orphans and redis.call('XRANGE', P .. 'records', '-', '+', 'COUNT', 1)[1]
    while first and #links > 0 and string.match(links[#links], '\n(.*)\n') >= toOrder(first[1]) do links[#links] = nil end
    local bytes = blankAll(links)
    if #links > 0 then count(-bytes) end
    return #links > 0
  end

  -- Counts feedback on a record in all and by person; whether there is room for this one.
  local function mayAdd(name, id, text)
    local readable, says = pcall(cjson.decode, text)
    local by = '\n' .. (readable and tostring(says.by) or '') .. '\t'
    local all, persons = string.match(redis.call('HGET', name, id .. '#') or '0', '^(%d*)(.*)$')
    local from, to = string.find(persons, by, 1, true)
    local own = to and string.match(persons, '^%d+', to + 1) or '0'
    if tonumber(all) >= mostFeedback or tonumber(own) >= mostOfOne then return false end
    local others = to and string.sub(persons, 1, from - 1) .. string.sub(persons, to + 1 + #own) or persons
    redis.call('HSET', name, id .. '#', all + 1 .. others .. by .. own + 1)
    return true
  end

  -- Of kind `feedback`: a line on the record of this id, or else on the last one of a message, where there is one.
  local function giveFeedback(id, message, text, at)
    local name = key('tr')
    local last = id == '' and redis.call('ZREVRANGEBYLEX', key('tm'), '(' .. message .. '\11', '[' .. message .. '\n', 'LIMIT', 0, 1)[1]
    local about = id ~= '' and id or last and idOf(last)
    local isKnown = about and redis.call('HEXISTS', name, about) == 1
    if isKnown and mayAdd(name, about, text) then addLine('feedback', about, text, at, 0) end
  end

  -- Records of what ended, each once, feedback, and of kind `edited` that what is known of a message goes.
  local function writeRecords(records, at)
    for i = 1, #records, 4 do
      local kind, id, messages, text = records[i], records[i + 1], records[i + 2], records[i + 3]
      if kind == 'edited' then
        blankMessage(messages, kind, false, at)
      elseif kind == 'feedback' then
        giveFeedback(id, messages, text, at)
      elseif redis.call('HEXISTS', key('tr'), id) == 0 then
        local order = toOrder(addLine(kind, id, '', at, weigh(#text, messages, id)))
        local links = { 0, toLink('*', order, id) }
        for message in linesOf(messages) do links[#links + 1], links[#links + 2] = 0, toLink(message, order, id) end
        redis.call('HSET', key('tr'), id, text, id .. '/', messages == '' and order or order .. '\n' .. messages)
        redis.call('ZADD', key('tm'), unpack(links))
      end
    end
  end

  -- The platform's message by which a record was answered, of a row of its end.
  local function nameAnswer(rowId, receipt)
    local first = string.match(rowId, '^[^.]*')
    local id = string.match(first, '^(.+)%-end$') or string.match(first, '^(.+)%-first$') or string.match(first, '^(.+)%-%d+$')
      or string.match(first, '^(.+)%-planned$')
    if not id or receipt == '' then return end
    local message = '>' .. receipt
    if redis.pcall('HEXISTS', key('tr'), id) ~= 1 then return end
    local messages, order = messagesOf(key('tr'), id)
    if not order or string.find('\n' .. messages .. '\n', '\n' .. message .. '\n', 1, true) then return end
    if type(redis.pcall('ZADD', key('tm'), 0, toLink(message, order, id))) == 'table' then return end
    redis.call('HSET', key('tr'), id .. '/', order .. '\n' .. (messages == '' and '' or messages .. '\n') .. message)
    redis.pcall('HINCRBY', P .. 'recorded', 'bytes', weighLink(message, id))
  end
  return {
    expect = expectRecords, write = writeRecords, feedback = giveFeedback, forget = blankMessage, nameAnswer = nameAnswer,
    forgetSome = blankSome, add = addLine, weigh = weigh, messagesOf = messagesOf, giveUp = giveUp,
  }
end
