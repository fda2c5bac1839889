-- conversation, message id, the event of its deletion, (position `<ms>-<id>`)... -> how many items were blanked, whether records of it are left (records/units/blank.lua)
local at = now()
local timing, asking = timing(), asking()
timing.expectRoom({})
check('c', 'out', 'aside', 'asked', 'cards', 'r', 'file', 'in', 'l', 'ah', 'at', 'tasks')
-- What can fail of its tasks comes before the first write, too.
local tasks, all = redis.call('HGETALL', key('tasks')), { [conv] = artifacts().all(at) }
local function taskAt(i) return conv .. '#' .. tasks[i] end
for i = 1, #tasks, 2 do
  local function look()
    check('c', 'in', 'dec', 'aside', 't', 'l')
    all[conv] = artifacts().all(at)
  end
  within(taskAt(i), look)
end
local recorder = recording()
recorder.expect()
-- Whether a JSON text names a message among those that it is about. The list stands before all that people wrote; of a letter it is `regarding`.
local function names(json, message)
  for _, field in ipairs({ 'messages', 'regarding', 'about' }) do
    local list = string.match(json or '', '"' .. field .. '":(%b[])')
    if list then return string.find(list, '"' .. message .. '"', 1, true) end
  end
end
local function isAbout(id, message)
  return names(redis.call('HGET', P .. 'q:' .. id, 'rest'), message)
end

-- What a question keeps goes, of a message that is to be forgotten. One that has a deadline expires, so that its buttons go.
local function drop(id)
  local q = P .. 'q:' .. id
  local rest, deadline = unpack(redis.call('HMGET', q, 'rest', 'deadline'))
  if not deadline then return redis.call('DEL', q) end
  local open = string.find(rest, ',"payload":"', 1, true)
  redis.call('HSET', q, 'rest', string.sub(rest, 1, open) .. '"payload":""')
  asking.expire(id, 'forgotten', at)
end

local out, c, message, event = key('out'), key('c'), ARGV[2], ARGV[3]
local gone = numbers(c, 'out') - redis.call('LLEN', out)
local blanked = 0
for i = 4, #ARGV do
  local ms, id = string.match(ARGV[i], '^(%d+)-(%d+)$')
  local index = tonumber(id) - 1 - gone
  local item = index >= 0 and redis.call('LINDEX', out, index)
  -- After a deletion another item may have the number by now: the time tells.
  if item and string.match(item, '^%a(%d+)') == ms then
    local blank = 'e' .. ms .. event
    redis.call('LSET', out, index, blank)
    redis.call('HINCRBY', c, 'outBytes', #blank - #item)
    for question in string.gmatch(item, '"id":"(p%d%d%-%w+)%.') do
      local name = P .. 'q:' .. question
      if redis.call('HGET', name, 'c') == conv then drop(question) end
    end
    blanked = blanked + 1
  end
end
-- What is kept beside a conversation or a task: events that were set aside, what a timer says, letters that are not carried yet, artifacts.
local function forgetBeside()
  -- A quote inside a JSON string is escaped, so this can only be the message itself, one that replies to it and may quote it, or an answer
  -- or a timer that came of it.
  local aside, held, letters = redis.call('HGETALL', key('aside')), redis.call('HGETALL', key('t')), redis.call('HGETALL', key('l'))
  for i = 1, #aside, 2 do
    local event = aside[i + 1]
    if string.find(event, '"messageId":"' .. message .. '"', 1, true) or names(event, message) then redis.call('HDEL', key('aside'), aside[i]) end
  end
  for i = 1, #held, 2 do
    if not string.find(held[i], '^q%.') and names(held[i + 1], message) then timing.disarm(held[i]) end
  end
  for i = 1, #letters, 2 do
    if names(letters[i + 1], message) then redis.call('HDEL', key('l'), letters[i]) end
  end
  local kept = artifacts()
  for _, one in ipairs(all[conv]) do
    if names(one.json, message) then kept.drop(one.name) end
  end
end
-- Of open questions those on a topic or with a deadline are known: what they keep for an answer may be the message's own words.
local topics, held = redis.call('HGETALL', key('asked')), redis.call('HGETALL', key('t'))
for i = 1, #topics, 2 do
  if isAbout(topics[i + 1], message) then
    redis.call('HDEL', key('asked'), topics[i])
    drop(topics[i + 1])
  end
end
for i = 1, #held, 2 do
  local question = string.match(held[i], '^q%.(.+)$')
  if question and isAbout(question, message) then drop(question) end
end
forgetBeside()
-- A task that came of it goes; others forget what they have of it.
for i = 1, #tasks, 2 do
  local function forgetThere()
    forgetBeside()
    enqueue(event, at)
  end
  if string.find(tasks[i + 1], '"' .. message .. '"', 1, true) then dropTask(tasks[i]) else within(taskAt(i), forgetThere) end
end
local isLeft = recorder.forget(message, 'forgotten', true, at)
-- The last reply may repeat it, and so may a file that was made of the conversation; a message of another one only where something was blanked.
if string.sub(message, 1, 1) ~= '~' or blanked > 0 then
  redis.call('HDEL', key('r'), 'reply')
  redis.call('DEL', key('file'))
end
if blanked > 0 then
  show('e', event, at)
  redis.call('PUBLISH', 'fl:live:' .. conv, 'out')
end
return { blanked, isLeft and 1 or 0 }
