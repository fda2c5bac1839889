-- conversation, expected routed seq, (decision, ignored? or what was said as an answer, id of its event or empty)... -> OK|BEHIND, work?, wakes?, tasks that were answered...
-- Of one that is ignored the decision is empty, or what it says of an earlier answer: `<message>\n<line>`. What was said as an answer is lines,
-- of which the first says whether the decision that holds otherwise ignores it.
local expected = tonumber(ARGV[2])
local c = key('c')
local routed, cursor, last, above = counters()
if routed ~= expected then return { 'BEHIND', 0 } end
local seq = expected + (#ARGV - 2) / 3
local seqs, ids = {}, {}
for i = 3, #ARGV, 3 do
  seqs[#seqs + 1], ids[#ids + 1] = expected + i / 3, ARGV[i + 2]
  if expected + i / 3 > last and ARGV[i + 2] ~= '' then return { 'BEHIND', 0 } end
end
if areOthers(seqs, ids) then return { 'BEHIND', 0 } end
if seq > last then error({ err = 'ERR more decisions than events: ' .. seq .. ' of ' .. last }) end
local recorder, answers
local early = ranges(above, expected + 1)
-- Where all is decided, the first thing that is written fails by itself if it cannot be.
local decides = #early == 0
for i = 3, #ARGV, 3 do
  decides = decides and ARGV[i + 1] == '0'
  if string.sub(ARGV[i + 1], 1, 1) == '1' and ARGV[i] ~= '' then recorder = recorder or recording() end
  if #ARGV[i + 1] > 1 then answers = answers or answering() end
end
if recorder then recorder.expect() end
if answers then
  check('t', 'cards')
  expect(P .. 'timers', 'zset')
end
if not decides then check('dec', 'stop') end
local at = now()
local ignored, tasks = {}, {}
-- A command that only tells something is passed by: what comes behind it is the next thing said to the questions to which it would have been that.
local mostPassed = 20
local function passBy(this)
  local ids = redis.pcall('HVALS', key('cards'))
  if ids.err or #ids > mostPassed then return end
  for _, id in ipairs(ids) do
    local after = redis.pcall('HGET', P .. 'q:' .. id, 'after')
    if type(after) == 'string' and tonumber(after) == this - 1 then redis.call('HSET', P .. 'q:' .. id, 'after', whole(this)) end
  end
end
if seq >= last then rest('route') end
for i = 3, #ARGV, 3 do
  local this = expected + i / 3
  local decision, isIgnored, isEarly = ARGV[i], ARGV[i + 1], isWithin(early, this)
  if #isIgnored > 1 then
    if isEarly then
      isIgnored = string.sub(isIgnored, 1, 1)
    else
      local told
      decision, isIgnored, told = answers.say(this, decision, isIgnored, at)
      if told then tasks[#tasks + 1] = told end
    end
  end
  if not isEarly and string.sub(decision, -14) == ',"aside":true}' then passBy(this) end
  if isIgnored == '1' or isEarly then ignored[#ignored + 1] = this else redis.call('HSET', key('dec'), this, decision) end
  local message, line
  if recorder and isIgnored == '1' then message, line = string.match(decision, '^(.-)\n(.*)$') end
  if message then recorder.feedback('', '>' .. message, line, at) end
end
redis.call('HSET', c, 'routed', seq, 'looked', '')
if #ignored > 0 then cursor = consume(ignored, seq, cursor, above) end
if cursor >= seq then
  -- Nothing was ever done here, and nothing is left to do: of a chat that is only overheard nothing stays. The counters outlive any
  -- router that still has these events in its hands.
  if seq >= last and redis.call('EXISTS', key('r'), key('out')) == 0 then
    redis.call('DEL', key('dd'))
    redis.pcall('ZREM', P .. 'idle', conv)
    redis.call('EXPIRE', c, 600)
  end
  return { 'OK', 0, 0, unpack(tasks) }
end
local wakes = wake('run', at)
return { 'OK', signal() and 0 or 1, wakes and 1 or 0, unpack(tasks) }
