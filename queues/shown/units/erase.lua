-- conversation, when it was erased or empty -> when that was. Its keys go, whatever their types are, but for the ids of its events: who gives
-- one again is not to bring it back. Questions of messages that are shown no more end by themselves. Who works there looks up, and finds
-- that it is theirs no more. One that is given again changes nothing where it is known, for somebody may have spoken since.
local before = tonumber(ARGV[2])
local at = before or now()
local function ofType(kind, wanted) return redis.call('TYPE', key(kind)).ok == wanted end
local function remove(name) redis.call('DEL', name) end
if not ofType('dd', 'zset') then remove(key('dd')) end
if before and erasedAt() >= before then return { before } end
signal()
for _, number in ipairs(ofType('tasks', 'hash') and redis.call('HKEYS', key('tasks')) or {}) do pcall(dropTask, number) end
for _, item in ipairs(ofType('out', 'list') and redis.call('LRANGE', key('out'), 0, -1) or {}) do
  for question in string.gmatch(item, '"id":"(p%d%d%-%w+)%.') do
    local name = P .. 'q:' .. question
    if redis.call('TYPE', name).ok == 'hash' and redis.call('HGET', name, 'c') == conv then remove(name) end
  end
end
for _, id in ipairs(ofType('obq', 'list') and redis.call('LRANGE', key('obq'), 0, -1) or {}) do remove(row(id)) end
for _, name in ipairs(ofType('t', 'hash') and redis.call('HKEYS', key('t')) or {}) do
  local question = string.match(name, '^q%.(.+)$')
  if question then remove(P .. 'q:' .. question) end
  redis.pcall('ZREM', P .. 'timers', conv .. ' ' .. name)
end
-- Readers of its records are told; what is broken there holds up nobody.
pcall(function()
  local recorder = recording()
  recorder.expect()
  local bytes = 0
  for _, field in ipairs(redis.call('HKEYS', key('tr'))) do
    local isText = not string.find(field, '[/#]$')
    local messages = isText and recorder.messagesOf(key('tr'), field)
    if isText then bytes = bytes + recorder.weigh(redis.call('HSTRLEN', key('tr'), field), messages, field) end
  end
  remove(key('tr'))
  remove(key('tm'))
  recorder.add('erased', '', '{"v":1}', now(), -bytes)
end)
for kind in pairs(kinds) do
  if kind ~= 'dd' then remove(key(kind)) end
end
noteErased(at)
remove(key('draft'))
redis.call('HDEL', P .. 'parked', conv)
redis.pcall('ZREM', P .. 'idle', conv)
for _, what in ipairs({ 'route', 'run', 'out' }) do rest(what) end
redis.call('PUBLISH', 'fl:live:' .. conv, 'out')
return { at }
