-- Put after the prelude for units that begin, tell or drop tasks of a conversation. The hash `tasks` of the conversation holds, by number, the platform's
-- messages that each came of, as JSON; what comes for a number that is not there is dropped.
-- All that a task has under its address goes: its timers, its open questions, and what is to be done there.
local function dropTask(number)
  local home = conv
  local function drop()
    for _, name in ipairs(redis.pcall('HKEYS', key('t'))) do redis.pcall('ZREM', P .. 'timers', conv .. ' ' .. name) end
    for kind in pairs(kinds) do redis.call('DEL', key(kind)) end
    redis.call('DEL', key('draft'))
    redis.call('HDEL', P .. 'parked', conv)
    rest('run')
    signal()
  end
  if redis.call('HDEL', key('tasks'), number) == 0 then return end
  local address = home .. '#' .. number
  for _, name in ipairs(redis.call('HKEYS', key('t'))) do
    local question = string.match(name, '^q%.(.+)$')
    if question and redis.pcall('HGET', P .. 'q:' .. question, 'task') == address then
      local card = redis.call('HGET', P .. 'q:' .. question, 'card')
      if card and redis.pcall('HGET', key('cards'), card) == question then redis.call('HDEL', key('cards'), card) end
      redis.call('DEL', P .. 'q:' .. question)
      redis.call('HDEL', key('t'), name)
      redis.call('ZREM', P .. 'timers', conv .. ' ' .. name)
    end
  end
  within(address, drop)
end

-- Refuses a step that begins more than there may be at once, before anything is written.
local mostTasks = 40
local function expectRoomForTasks(told)
  local count, begun = redis.call('HLEN', key('tasks')), {}
  for i = 1, #told, 4 do
    if told[i + 2] == 'begins' and not begun[told[i]] and not hasTask(told[i]) then begun[told[i]], count = true, count + 1 end
  end
  if next(begun) and count > mostTasks then error({ err = 'ERR no conversation may have more than ' .. mostTasks .. ' tasks' }) end
end

-- `told` is (address, event without its time, how, of what)...: one that `begins` is made where it is not there yet, and knows the messages that it comes
-- of; one that `stops` ends what its task does for this principal. An event for the home itself goes to its router.
local function tasking(told, drops, at)
  for i = 1, #told, 4 do
    local address, event, how, of = told[i], '{"at":' .. whole(at) .. ',' .. string.sub(told[i + 1], 2), told[i + 2], told[i + 3]
    local number = string.match(address, '#(%d+)$')
    if how == 'begins' then redis.call('HSETNX', key('tasks'), number, of) end
    local function take()
      local seq = enqueue(event, at)
      if how == 'stops' and seq > 0 then
        redis.call('HSET', key('stop'), of, seq)
        signal()
      end
    end
    within(address, take)
  end
  for _, number in ipairs(drops) do dropTask(number) end
end
