-- Put after the prelude for units that arm, disarm or fire timers. `timers` holds when each of a partition is due, as `<conversation> <name>`,
-- and the hash `t` of a conversation what each of its own says when it fires: an event without its time. A question's deadline is a
-- timer named `q.<question>`, which says for whom it was asked. What stands in only one of the two is no timer any more.
-- Made only by who needs it: each call of a unit makes anew what stands at the top.
local function timing()
  local mostTimers, mostWithQuestions, mostBytes = 1000, 900, 2097152
  local function member(name) return conv .. ' ' .. name end

  -- Refuses what would be too many or too much, before anything is written: of a step's timers those that are not armed yet count, and what they
  -- say more than before, but for a session's end. Of few timers the bytes are not asked.
  local function expectRoom(armed)
    expect(P .. 'timers', 'zset')
    local count, added, more = redis.call('HLEN', key('t')), 0, 0
    for i = 1, #armed, 3 do
      if armed[i] ~= 'session' then
        added = added + 1 - redis.call('HEXISTS', key('t'), armed[i])
        more = more + #armed[i + 1] - redis.call('HSTRLEN', key('t'), armed[i])
      end
    end
    if more > 0 and count >= 64 and redis.call('MEMORY', 'USAGE', key('t'), 'SAMPLES', 0) + more > mostBytes then
      error({ err = 'ERR the timers of a conversation may not say more than ' .. mostBytes .. ' bytes' })
    end
    if added > 0 and count + added > mostTimers then
      error({ err = 'ERR no conversation may have more than ' .. mostTimers .. ' timers' })
    end
  end

  -- Arms a timer, or arms it anew.
  local function arm(name, says, due)
    redis.call('HSET', key('t'), name, says)
    redis.call('ZADD', P .. 'timers', whole(due), member(name))
  end

  local function disarm(name)
    redis.call('HDEL', key('t'), name)
    redis.call('ZREM', P .. 'timers', member(name))
  end
  return { expectRoom = expectRoom, mostWithQuestions = mostWithQuestions, member = member, arm = arm, disarm = disarm }
end
