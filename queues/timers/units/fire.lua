-- '', hold back? -> how many were due, a hundred at most, how many bear no good name, whether letters are to be carried, (conversation, '' or what is corrupt)...
-- Each due timer becomes an event in its conversation's mailbox, in the unit in which it goes: once, and however full the mailbox is.
local at = now()
local brokenAgainMs = 60000
-- Where it holds back none of them is looked at, so that each is due as it was.
local due = ARGV[2] == '1' and {} or redis.call('ZRANGEBYSCORE', P .. 'timers', '-inf', whole(at), 'LIMIT', 0, 100)

local timing, asking = timing(), asking()
-- Whose key is broken, where one is.
local culprit
local function fire(name)
  check('c', 'in', 't', 'cards')
  local says = redis.call('HGET', key('t'), name)
  local question = string.match(name, '^q%.(.+)$')
  if question and says then expect(P .. 'q:' .. question, 'hash') end
  -- What can fail comes before the first write.
  numbers(key('c'), 'seq')
  if question and says then
    culprit = redis.call('HGET', P .. 'q:' .. question, 'task') or conv
    if culprit ~= conv then within(culprit, check, 'c', 'in', 'dec') end
    culprit = conv
    local isOver, task = asking.expire(question, 'deadline', at)
    if isOver then return task or conv end
  end
  local isEvent = says and not question
  -- It goes last, so that whatever fails leaves it where it is.
  if isEvent then enqueue('{"at":' .. whole(at) .. ',' .. string.sub(says, 2), at) end
  timing.disarm(name)
  return isEvent and conv
end

-- Asked here, so that a fleet without letters is not asked once more. Of a broken key the unit that reads it tells.
local letters = redis.pcall('ZCOUNT', P .. 'letters', '-inf', whole(at))
local flat, strange = { #due, 0, letters == 0 and 0 or 1 }, 0
for _, which in ipairs(due) do
  local name
  conv, name = string.match(which, '^(%S+) (%S+)$')
  parkedFor = nil
  if not conv then
    redis.call('ZREM', P .. 'timers', which)
    strange = strange + 1
  else
    culprit = conv
    local isFine, told = pcall(fire, name)
    -- What cannot be read now hides nothing that is due later.
    if not isFine then redis.call('ZADD', P .. 'timers', 'XX', whole(at + brokenAgainMs), which) end
    if told then
      flat[#flat + 1] = isFine and told or culprit
      flat[#flat + 1] = isFine and '' or (type(told) == 'table' and told.err or tostring(told))
    end
  end
end
flat[2] = strange
return flat
