-- conversation, expected routed seq, (decision, ignored?, id of its event or empty)... -> OK|BEHIND, work?
-- Of one that is ignored the decision is empty, or what it says of an earlier answer: `<message>\n<line>`.
local expected = tonumber(ARGV[2])
check('in', 'dec', 'stop')
local c = key('c')
local routed, last, cursor = numbers(c, 'routed', 'seq', 'cursor')
if routed ~= expected then return { 'BEHIND', 0 } end
local seq = expected + (#ARGV - 2) / 3
for i = 3, #ARGV, 3 do
  local this = expected + i / 3
  if isOther(this, ARGV[i + 2]) or (this > last and ARGV[i + 2] ~= '') then return { 'BEHIND', 0 } end
end
if seq > last then error({ err = 'ERR more decisions than events: ' .. seq .. ' of ' .. last }) end
local recorder
for i = 3, #ARGV, 3 do
  if ARGV[i + 1] == '1' and ARGV[i] ~= '' and not recorder then
    recorder = recording()
    recorder.expect()
  end
end
local at = now()
local ignored = {}
local early = ranges(redis.call('HGET', c, 'consumed'), expected + 1)
for i = 3, #ARGV, 3 do
  local this = expected + i / 3
  local isIgnored = ARGV[i + 1] == '1'
  if isIgnored or isWithin(early, this) then ignored[#ignored + 1] = this else redis.call('HSET', key('dec'), this, ARGV[i]) end
  local message, line
  if recorder and isIgnored then message, line = string.match(ARGV[i], '^(.-)\n(.*)$') end
  if message then recorder.feedback('', '>' .. message, line, at) end
end
redis.call('HSET', c, 'routed', seq, 'looked', '')
if #ignored > 0 then cursor = consume(ignored, seq, cursor) end
if seq >= last then rest('route') end
if cursor >= seq then
  -- Nothing was ever done here, and nothing is left to do: of a chat that is only overheard nothing stays. The counters outlive any
  -- router that still has these events in its hands.
  if seq >= last and redis.call('EXISTS', key('r'), key('out')) == 0 then
    redis.call('DEL', key('dd'))
    redis.pcall('ZREM', P .. 'idle', conv)
    redis.call('EXPIRE', c, 600)
  end
  return { 'OK', 0 }
end
wake('run', at)
signal()
return { 'OK', 1 }
