-- Put after the prelude for units that write records, blank them or give them up. What a record says stands in the hash `tr` of its
-- conversation: `<id>` is its text, `<id>/` the platform's messages that it came of (`@<message>`) or by which it was answered
-- (`><message>`), a line each; `<id>#` counts the feedback on it; and each of these names in the same hash the records that it belongs to, the last one last. The stream
-- `records` of the partition names all records in the order of writing, and what happened to them later: `k` is the kind of a line, `c` the
-- conversation, `i` the id of the record, `t` what the line itself says. Only texts of records are words of people. `recorded` counts the
-- bytes of both, and how many lines were given up before their time.
local mostRecordBytes, lineBytes, mostGivenUp, mostFeedback = 16777216, 150, 200, 100

local function expectRecords()
  check('tr')
  expect(P .. 'records', 'stream')
  numbers(P .. 'recorded', 'bytes', 'lost')
end

-- Names rise with Redis' time, also where that was set back: who reads on from one misses none.
local function writeLine(kind, id, text, at)
  local log = P .. 'records'
  local function add(ms) return redis.pcall('XADD', log, ms .. '-*', 'k', kind, 'c', conv, 'i', id, 't', text) end
  local added = add(whole(at))
  if type(added) == 'table' and added.err then
    local info = redis.call('XINFO', 'STREAM', log)
    for i = 1, #info, 2 do
      if info[i] == 'last-generated-id' then redis.call('XADD', log, string.match(info[i + 1], '^%d+') .. '-*', 'k', kind, 'c', conv, 'i', id, 't', text) end
    end
  end
  return lineBytes + #text + #id
end

local function weigh(text, messages) return #text + 2 * #messages end
local function linesOf(messages) return string.gmatch(messages or '', '[^\n]+') end

-- Takes away what a record says, and where its messages name it. Returns how many bytes that is less.
local function blank(conversation, id)
  local name = P .. 'tr:' .. conversation
  local text, messages = unpack(redis.call('HMGET', name, id, id .. '/'))
  if not text then return 0 end
  for message in linesOf(messages) do
    local others = {}
    for other in string.gmatch(redis.call('HGET', name, message) or '', '%S+') do
      if other ~= id then others[#others + 1] = other end
    end
    if #others > 0 then redis.call('HSET', name, message, table.concat(others, ' ')) else redis.call('HDEL', name, message) end
  end
  redis.call('HDEL', name, id, id .. '/', id .. '#')
  return weigh(text, messages or '')
end

-- Gives up the first lines, so long as `isOver` says so of their names and of the bytes that are kept: some hundred at most. Returns how many.
local function giveUp(isOver)
  local log, kept = P .. 'records', tonumber(redis.call('HGET', P .. 'recorded', 'bytes') or '0')
  local gone, bytes = {}, 0
  while #gone < mostGivenUp do
    local lines = redis.call('XRANGE', log, '-', '+', 'COUNT', math.min(10, mostGivenUp - #gone))
    local names = {}
    for _, line in ipairs(lines) do
      if not isOver(line[1], kept - bytes) then break end
      local what = {}
      for i = 1, #line[2], 2 do what[line[2][i]] = line[2][i + 1] end
      bytes = bytes + lineBytes + #(what.t or '') + #(what.i or '')
      if what.k == 'turn' or what.k == 'work' then
        local isFine, freed = pcall(blank, what.c, what.i)
        bytes = bytes + (isFine and freed or 0)
      end
      names[#names + 1], gone[#gone + 1] = line[1], line[1]
    end
    if #names > 0 then redis.call('XDEL', log, unpack(names)) end
    if #names < 10 then break end
  end
  -- What was counted and is no more, as after the loss of a key, is not counted for ever.
  if #gone > 0 then redis.call('HSET', P .. 'recorded', 'bytes', redis.call('XLEN', log) == 0 and '0' or whole(math.max(0, kept - bytes))) end
  return #gone
end

local function count(bytes)
  if redis.call('HINCRBY', P .. 'recorded', 'bytes', bytes) <= mostRecordBytes then return end
  local lost = giveUp(function(_, kept) return kept > mostRecordBytes end)
  if lost > 0 then redis.call('HINCRBY', P .. 'recorded', 'lost', lost) end
end

local function link(message, id)
  local before = redis.call('HGET', key('tr'), message)
  redis.call('HSET', key('tr'), message, before and before .. ' ' .. id or id)
end

-- What is known of a message goes, and readers are told; where nothing is known only `always`, since they may have read it long ago.
local function blankMessage(message, why, always, at)
  local bytes, ids = 0, redis.call('HGET', key('tr'), '@' .. message) or ''
  for id in string.gmatch(ids, '%S+') do bytes = bytes + blank(conv, id) end
  if ids == '' and not always then return end
  count(writeLine('forgotten', ids, '{"message":' .. cjson.encode(message) .. ',"why":"' .. why .. '"}', at) - bytes)
end

-- A record of what ended, once. Of kind `feedback`: a line on the record of this id, or else on the last one of a message, where there is one. Of
-- kind `edited`: what is known of a message goes.
local function record(kind, id, messages, text, at)
  if kind == 'edited' then return blankMessage(messages, kind, false, at) end
  local name = key('tr')
  if kind == 'feedback' then
    local about = id ~= '' and id or string.match(redis.call('HGET', name, messages) or '', '%S+$')
    local isKnown = about and redis.call('HEXISTS', name, about) == 1
    if isKnown and redis.call('HINCRBY', name, about .. '#', 1) <= mostFeedback then count(writeLine(kind, about, text, at)) end
    return
  end
  if redis.call('HSETNX', name, id, text) == 0 then return end
  if messages ~= '' then redis.call('HSET', name, id .. '/', messages) end
  for message in linesOf(messages) do link(message, id) end
  count(writeLine(kind, id, '', at) + weigh(text, messages))
end

-- The platform's message by which a record was answered, of a row of its end.
local function nameAnswer(rowId, receipt)
  local first = string.match(rowId, '^(.-)%.[%d.]+$') or rowId
  local id = string.match(first, '^(.+)%-end$') or string.match(first, '^(.+)%-first$') or string.match(first, '^(.+)%-%d+$')
  if not id or receipt == '' then return end
  local found = redis.pcall('HMGET', key('tr'), id, id .. '/')
  if found.err or not found[1] then return end
  local message = '>' .. receipt
  if string.find('\n' .. (found[2] or '') .. '\n', '\n' .. message .. '\n', 1, true) then return end
  redis.call('HSET', key('tr'), id .. '/', (found[2] and found[2] .. '\n' or '') .. message)
  link(message, id)
  redis.pcall('HINCRBY', P .. 'recorded', 'bytes', 2 * #message)
end
