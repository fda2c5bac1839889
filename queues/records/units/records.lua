-- Put after the prelude for units that write records, blank them or give them up. What a record says stands in the hash `tr` of its
-- conversation: `<id>` is its text, `<id>/` the platform's messages that it came of (`@<message>`) or by which it was answered
-- (`><message>`), a line each; `<id>#` counts the feedback on it, in all and on a line for each person; and each of these messages names in the same hash the records that it
-- belongs to, the last one last. The stream `records` of the partition names all records in the order of writing, and what happened to them
-- later: `<kind> <conversation> <id of the record>`, and on the next line what that itself says. Only texts of records are words of people.
-- `recorded` counts the bytes of both, with about what Redis needs around each, and how many lines were given up before their time.
-- Made only by who needs it, as the timers are.
local function recording()
  local mostKeptBytes, lineBytes, recordBytes, linkBytes, mostGivenUp = 16777216, 150, 200, 80, 200
  local mostFeedback, mostOfOne, mostInLine, mostLookedAt = 200, 20, 100, 16

  local function expectRecords()
    check('tr')
    expect(P .. 'records', 'stream')
    numbers(P .. 'recorded', 'bytes', 'lost')
  end

  -- Names rise with Redis' time, also where that was set back: who reads on from one misses none.
  local function writeLine(kind, id, text, at)
    local log = P .. 'records'
    local line = kind .. ' ' .. conv .. ' ' .. id .. '\n' .. text
    local function add(ms) return redis.pcall('XADD', log, ms .. '-*', 'l', line) end
    local added = add(whole(at))
    if type(added) == 'table' and added.err then
      local info = redis.call('XINFO', 'STREAM', log)
      for i = 1, #info, 2 do
        if info[i] == 'last-generated-id' then redis.call('XADD', log, string.match(info[i + 1], '^%d+') .. '-*', 'l', line) end
      end
    end
  end
  local function weighLine(id, text) return lineBytes + #text + #id end

  local function linesOf(messages) return string.gmatch(messages or '', '[^\n]+') end
  local function weighLink(message, id) return linkBytes + 2 * #message + #id end
  local function weigh(length, messages, id)
    local bytes = recordBytes + length
    for message in linesOf(messages) do bytes = bytes + weighLink(message, id) end
    return bytes
  end

  -- Takes these records out of the list of a message. The first ones go first as a rule, and the rest is not looked at then.
  local function unlink(name, message, gone, count)
    local list = redis.call('HGET', name, message) or ''
    local from, left = 1, count
    while left > 0 do
      local first, last = string.find(list, '%S+', from)
      if not first or not gone[string.sub(list, first, last)] then break end
      from, left = last + 2, left - 1
    end
    list = string.sub(list, from)
    if left > 0 then
      local others = {}
      for other in string.gmatch(list, '%S+') do
        if not gone[other] then others[#others + 1] = other end
      end
      list = table.concat(others, ' ')
    end
    if list ~= '' then redis.call('HSET', name, message, list) else redis.call('HDEL', name, message) end
  end

  -- Takes away what records say; then, by `finish`, where messages name them: each list once, since one message may name thousands.
  local function blanking()
    local lists = {}
    local function blank(conversation, id)
      local name = P .. 'tr:' .. conversation
      local length = redis.call('HSTRLEN', name, id)
      if length == 0 then return 0 end
      local messages = redis.call('HGET', name, id .. '/')
      redis.call('HDEL', name, id, id .. '/', id .. '#')
      for message in linesOf(messages) do
        local place = name .. '\n' .. message
        local list = lists[place] or { name = name, message = message, gone = {}, count = 0 }
        lists[place], list.gone[id], list.count = list, true, list.count + 1
      end
      return weigh(length, messages, id)
    end
    local function finish()
      for _, list in pairs(lists) do unlink(list.name, list.message, list.gone, list.count) end
    end
    return blank, finish
  end

  -- Gives up the first lines, so long as `isOver` says so of their names and of the bytes that are kept: some hundred at most. Returns how many.
  local function giveUp(isOver)
    local log, kept = P .. 'records', tonumber(redis.call('HGET', P .. 'recorded', 'bytes') or '0')
    local gone, bytes = {}, 0
    local blank, finish = blanking()
    while #gone < mostGivenUp do
      local lines = redis.call('XRANGE', log, '-', '+', 'COUNT', math.min(10, mostGivenUp - #gone))
      local names = {}
      for _, line in ipairs(lines) do
        if not isOver(line[1], kept - bytes) then break end
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

  -- Whether others were given up for it: then what was read of any list before is not so any more.
  local function count(bytes)
    if redis.call('HINCRBY', P .. 'recorded', 'bytes', bytes) <= mostKeptBytes then return false end
    local lost = giveUp(function(_, kept) return kept > mostKeptBytes end)
    if lost > 0 then redis.call('HINCRBY', P .. 'recorded', 'lost', lost) end
    return lost > 0
  end

  -- What stands where a record is to be written: its text, and of each of its messages the records that name it.
  local function findRecord(id, messages)
    local names = { id }
    for message in linesOf(messages) do names[#names + 1] = message end
    return names, redis.call('HMGET', key('tr'), unpack(names))
  end
  -- Adds a record to the lists of its messages, whose names and lists are `names` and `found` from the second one on.
  local function linked(fields, id, names, found)
    for i = 2, #names do fields[#fields + 1], fields[#fields + 2] = names[i], found[i] and found[i] .. ' ' .. id or id end
    return fields
  end

  -- Lines are counted before they are written: nothing is, where the count is broken.
  local function addLine(kind, id, text, at, bytes)
    local hasGivenUp = count(weighLine(id, text) + bytes)
    writeLine(kind, id, text, at)
    return hasGivenUp
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

  -- What is known of a message goes, and readers are told; where nothing is known only `always`, since they may have read it long ago.
  local function blankMessage(message, why, always, at)
    local bytes, ids = 0, redis.call('HGET', key('tr'), '@' .. message) or ''
    if ids == '' then return always and addUnknown(message, why, at) end
    local blank, finish = blanking()
    for id in string.gmatch(ids, '%S+') do bytes = bytes + blank(conv, id) end
    finish()
    addLine('forgotten', ids, toForgotten({ message }, why), at, -bytes)
  end

  -- Counts feedback on a record in all and by person; whether there is room for this one. Older releases counted only all.
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
    local about = id ~= '' and id or string.match(redis.call('HGET', name, message) or '', '%S+$')
    local isKnown = about and redis.call('HEXISTS', name, about) == 1
    if isKnown and mayAdd(name, about, text) then addLine('feedback', about, text, at, 0) end
  end

  -- Reads what records are to be written beside, before anything is: a key of a wrong type fails here.
  local function readRecords(records)
    local names, found = findRecord(records[2], records[3])
    for i = 5, #records, 4 do findRecord(records[i + 1], records[i + 2]) end
    -- Of several, one may change what stands where the next is written.
    return #records == 4 and names, found
  end

  -- Records of what ended, each once, feedback, and of kind `edited` that what is known of a message goes.
  local function writeRecords(records, at, names, found)
    for i = 1, #records, 4 do
      local kind, id, messages, text = records[i], records[i + 1], records[i + 2], records[i + 3]
      if kind == 'edited' then
        blankMessage(messages, kind, false, at)
      elseif kind == 'feedback' then
        giveFeedback(id, messages, text, at)
      else
        if not names then names, found = findRecord(id, messages) end
        if not found[1] then
          if addLine(kind, id, '', at, weigh(#text, messages, id)) then names, found = findRecord(id, messages) end
          local fields = { id, text }
          if messages ~= '' then fields[3], fields[4] = id .. '/', messages end
          redis.call('HSET', key('tr'), unpack(linked(fields, id, names, found)))
        end
        names = nil
      end
    end
  end

  -- The platform's message by which a record was answered, of a row of its end.
  local function nameAnswer(rowId, receipt)
    local first = string.match(rowId, '^[^.]*')
    local id = string.match(first, '^(.+)%-end$') or string.match(first, '^(.+)%-first$') or string.match(first, '^(.+)%-%d+$')
    if not id or receipt == '' then return end
    local message = '>' .. receipt
    local found = redis.pcall('HMGET', key('tr'), id, id .. '/', message)
    if found.err or not found[1] then return end
    if string.find('\n' .. (found[2] or '') .. '\n', '\n' .. message .. '\n', 1, true) then return end
    local messages = (found[2] and found[2] .. '\n' or '') .. message
    redis.call('HSET', key('tr'), id .. '/', messages, message, found[3] and found[3] .. ' ' .. id or id)
    redis.pcall('HINCRBY', P .. 'recorded', 'bytes', weighLink(message, id))
  end
  return {
    expect = expectRecords, read = readRecords, write = writeRecords, feedback = giveFeedback, forget = blankMessage, nameAnswer = nameAnswer,
    add = addLine, weigh = weigh, giveUp = giveUp,
  }
end
