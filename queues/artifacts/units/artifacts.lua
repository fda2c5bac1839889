-- Put after the prelude for units that keep artifacts, read them or end their session. The hash `ah` of a conversation holds what is known of
-- each by its name, `<number> <when it was written> <since when its session is over, or 0> <bytes> <session> <json>`, and `at` the texts by
-- the same names. Numbers rise in the order of writing. Both keys end by themselves seven days after a session's end, unless another one keeps
-- something: then what belongs to sessions that were over that long ago goes. Those of a task stay as long as the task; what it works with is never
-- dropped for want of room, but refused. Made only by who needs it, as the timers are.
local function artifacts()
  local inTask, afterSessionMs = isTask(conv), 604800000
  local mostArtifacts, mostBytes = inTask and 2000 or 500, inTask and 25165824 or 4194304
  local heads, texts = key('ah'), key('at')

  local function read(name, head)
    local number, at, over, bytes, session, json = string.match(head, '^(%d+) (%d+) (%d+) (%d+) (%S+) (.*)$')
    if not number then error({ err = 'CORRUPT ' .. heads .. ' has no artifact in ' .. name }) end
    return { name = name, number = tonumber(number), at = tonumber(at), over = tonumber(over), bytes = tonumber(bytes), session = session, json = json }
  end
  local function readAt(name, head, at)
    local one = read(name, head)
    one.isGone = one.over > 0 and at - one.over >= afterSessionMs
    return one
  end
  -- Alone, since a search reads hundreds one after another: looking through all for each would hold up everybody.
  local function find(name, at)
    local head = redis.call('HGET', heads, name)
    return head and readAt(name, head, at)
  end
  -- In the order of writing.
  local function all(at)
    local stored, list = redis.call('HGETALL', heads), {}
    for i = 1, #stored, 2 do list[#list + 1] = readAt(stored[i], stored[i + 1], at) end
    table.sort(list, function(a, b) return a.number < b.number end)
    return list
  end
  local function save(one)
    local places = { whole(one.number), whole(one.at), whole(one.over), whole(one.bytes), one.session, one.json }
    redis.call('HSET', heads, one.name, table.concat(places, ' '))
  end
  local function drop(name)
    redis.call('HDEL', heads, name)
    redis.call('HDEL', texts, name)
  end

  local function isWork(json) return string.find(json, '"kind":"work"', 1, true) end
  -- `goes`: names of what is dropped, or has another text now.
  local function expectRoomForWork(known, given, goes)
    local count, bytes = 0, 0
    local function add(json, more)
      if isWork(json) then count, bytes = count + 1, bytes + more end
    end
    for _, one in ipairs(known) do
      if not goes[one.name] then add(one.json, one.bytes) end
    end
    for i = 1, #given, 4 do add(given[i + 2], #given[i + 3]) end
    if count > mostArtifacts or bytes > mostBytes then
      error({ err = 'ERR no task may keep more than ' .. mostArtifacts .. ' texts or ' .. mostBytes .. ' bytes of them' })
    end
  end

  -- Looks at what is there before anything is written; `given`: name, session, json, text, ...; `dropped`: names. What it returns writes.
  local function prepare(given, dropped, at)
    expect(heads, 'hash')
    expect(texts, 'hash')
    local known, leftMs = all(at), redis.call('PTTL', heads)
    local isNew, goes = {}, {}
    for _, name in ipairs(dropped) do goes[name] = true end
    for i = 1, #given, 4 do isNew[given[i]], goes[given[i]] = true, true end
    if inTask and #given > 0 then expectRoomForWork(known, given, goes) end
    return function()
      for _, name in ipairs(dropped) do drop(name) end
      if #given == 0 then return end
      local kept, bytes, last = {}, 0, 0
      for _, one in ipairs(known) do
        last = math.max(last, one.number)
        if one.over == 0 and one.session ~= given[2] and not inTask and not goes[one.name] then
          one.over = leftMs > 0 and at - afterSessionMs + leftMs or at
          save(one)
        end
        if one.isGone and not isNew[one.name] then drop(one.name) end
        if not one.isGone and not goes[one.name] then kept[#kept + 1], bytes = one, bytes + one.bytes end
      end
      for i = 1, #given, 4 do
        last = last + 1
        local one = { name = given[i], number = last, at = at, over = 0, bytes = #given[i + 3], session = given[i + 1], json = given[i + 2] }
        save(one)
        redis.call('HSET', texts, one.name, given[i + 3])
        kept[#kept + 1], bytes = one, bytes + one.bytes
      end
      local count = #kept
      for _, one in ipairs(kept) do
        if count <= mostArtifacts and bytes <= mostBytes then break end
        if not inTask or not isWork(one.json) then
          drop(one.name)
          count, bytes = count - 1, bytes - one.bytes
        end
      end
      redis.call('PERSIST', heads)
      redis.call('PERSIST', texts)
    end
  end

  -- What ended before goes on from when that was.
  local function endSession()
    if inTask then return end
    for _, name in ipairs({ heads, texts }) do
      if redis.call('PTTL', name) == -1 then redis.call('PEXPIRE', name, afterSessionMs) end
    end
  end
  return { all = all, find = find, drop = drop, prepare = prepare, endSession = endSession, texts = texts }
end
