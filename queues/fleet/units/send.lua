-- prefix; ask|notice|cosmetic|show|open|underway|ended, id, chat, ahead in ms, when it came or 0 for now, then scopes, the bot's last: name, 1 if of the chat, windows n, (count, ms)...
-- -> ms to wait
-- prefix; pause, '', chat or '' for all, ms -> 0
-- When a bot may send. For a chat, for what calls of a kind share there, and for the bot there are two sorted sets: what was sent, by when, and what was
-- promised a time and has not come for it yet. Who comes anew is promised the time when, behind what was sent and what is to come, there is room in
-- each window. Who comes at its time, or late, goes if there is room among what was really sent: where a busy sender comes late for all, promises
-- alone must not hold each other up. Else it is promised the time of a place behind those who are late as well. A row keeps its permit and is asked
-- for it again; a cosmetic call only takes what is free, and notices of what was lost stand in a line of their own, so that they take few permits.
-- In its chat a call counts by when it ended, and while it is under way as sent now: nobody knows better when it arrives. `underway` names these calls.
-- Its sender says again and again that it still is, and the chat forgets a call of which nothing is heard: its sender is gone.
-- Of the bot a call counts by its permit: where so many go, waiting for each to end would halve the pace.
-- Where everybody together wants more than the bot may send, its permits are promised for `ahead` at most. Who finds none is told to ask again,
-- and waits in `refused`, by the time it came: the newest goes first, an older one gets only what the newer leave, and notices what both leave.
-- So what is new goes soon, and no permit is kept for what expires before.
-- A chat that was told to wait goes at half its pace, evenly, for a minute after it, and shows no reply in the making till then: `wide` lasts for both.
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
local action, id, chat = ARGV[1], ARGV[2], ARGV[3]
local lateMs = 15000
local wideForMs = 60000
local underwayMs = 3000

-- Kept with how long it is for: where Redis' clock was set back, it lasts that long once more at most.
local function leftOf(name)
  local most = tonumber(redis.call('GET', KEYS[1] .. name) or 0)
  local left = most > 0 and math.max(0, redis.call('PTTL', KEYS[1] .. name)) or 0
  if left > most then redis.call('PEXPIRE', KEYS[1] .. name, most) end
  return math.min(left, most)
end
if action == 'pause' then
  local ms = tonumber(ARGV[4])
  local function keep(name, forMs)
    if leftOf(name) < forMs then redis.call('SET', KEYS[1] .. name, forMs, 'PX', forMs) end
  end
  keep('pause:' .. chat, ms)
  if chat ~= '' then keep('wide:' .. chat, ms + wideForMs) end
  return 0
end

local pause, wide = math.max(leftOf('pause:' .. chat), leftOf('pause:')), leftOf('wide:' .. chat)
if action == 'open' then return pause end
if action == 'show' then pause = math.max(pause, wide) end
if pause > 0 and action ~= 'ended' and action ~= 'underway' then return pause end

local ahead = tonumber(ARGV[4])
-- How long a row waits to be sent before it expires.
local lifeMs = 40 * ahead
local came = tonumber(ARGV[5])
if came == 0 or came > at then came = at end

-- What lies ahead was sent before Redis' clock was set back. The newest counts as sent now, and the others keep their distance: none is forgotten.
-- Returns by how many ms it was set back at least.
local function setBack(set)
  local ahead = redis.call('ZRANGEBYSCORE', set, '(' .. at, '+inf', 'WITHSCORES')
  for i = 1, #ahead, 2 do redis.call('ZADD', set, at - tonumber(ahead[#ahead]) + tonumber(ahead[i + 1]), ahead[i]) end
  return #ahead > 0 and tonumber(ahead[#ahead]) - at or 0
end

local underway = KEYS[1] .. 'underway:' .. chat
setBack(underway)
redis.call('ZREMRANGEBYSCORE', underway, '-inf', at - underwayMs)
local others = redis.call('ZRANGE', underway, 0, -1)

local function hold()
  redis.call('ZADD', underway, at, id)
  redis.call('PEXPIRE', underway, underwayMs)
  return 0
end

local function takeScope(index)
  local name, isOfChat, windows = ARGV[index], ARGV[index + 1] == '1', tonumber(ARGV[index + 2])
  local scope = { isOfChat = isOfChat, promises = KEYS[1] .. name, sent = KEYS[1] .. 'sent:' .. name, windows = {}, longest = 0 }
  local intervalMs = 0
  local function add(count, ms)
    scope.windows[#scope.windows + 1] = { count = count, ms = ms }
    scope.longest = math.max(scope.longest, ms)
    intervalMs = math.max(intervalMs, ms / count)
  end
  for i = 1, windows do add(tonumber(ARGV[index + 1 + 2 * i]), tonumber(ARGV[index + 2 + 2 * i])) end
  -- One at a time, twice as far apart: a longer window alone would stop a chat that has used up its own.
  if isOfChat and wide > 0 and windows > 0 then add(1, 2 * intervalMs) end
  -- How far ahead its permits are promised.
  scope.most = (isOfChat and lifeMs or ahead) + scope.longest
  if scope.longest > 0 then
    -- What was promised moves along, and what lies further ahead was written before Redis' clock was set back as well.
    local backMs = setBack(scope.sent)
    for _, name in ipairs(backMs > 0 and redis.call('ZRANGE', scope.promises, 0, -1) or {}) do
      redis.call('ZINCRBY', scope.promises, -backMs, name)
    end
    redis.call('ZREMRANGEBYSCORE', scope.promises, '(' .. at + scope.most + lateMs, '+inf')
    -- Who comes a little late for a promise still finds it.
    redis.call('ZREMRANGEBYSCORE', scope.promises, '-inf', at - scope.longest - lateMs)
    redis.call('ZREMRANGEBYSCORE', scope.sent, '-inf', at - scope.longest - lateMs)
    for _, other in ipairs(isOfChat and others or {}) do
      if other ~= id then redis.call('ZADD', scope.sent, 'XX', at, other) end
    end
  end
  return scope, index + 3 + 2 * windows
end
local function put(scope, set, when)
  if scope.longest == 0 then return end
  redis.call('ZADD', set, when, id)
  local last = redis.call('ZREVRANGE', set, 0, 0, 'WITHSCORES')
  redis.call('PEXPIRE', set, math.floor(tonumber(last[2]) - at + scope.longest + lateMs))
end

local scopes, next = {}, 6
while next <= #ARGV do scopes[#scopes + 1], next = takeScope(next) end
if action == 'ended' then
  redis.call('ZREM', underway, id)
  for _, scope in ipairs(scopes) do
    if scope.isOfChat then redis.call('ZADD', scope.sent, 'XX', at, id) end
  end
  return 0
end
if action == 'underway' then
  for _, scope in ipairs(scopes) do
    if scope.isOfChat then put(scope, scope.sent, at) end
  end
  return hold()
end
local bot = scopes[#scopes]
local refused = bot.promises .. ':refused'

-- When there is room for who comes at its time or late. The windows are looked at without the margin, in which requests are a little uneven.
-- Of a short window no more than a third goes in a fourth of it: where all are late they would go in one burst, which a slow network lays upon the next.
local function roomAt(scope, promised)
  local due, late = at, nil
  local function look(count, ms)
    local last = redis.call('ZREVRANGEBYSCORE', scope.sent, at, '(' .. at - ms, 'WITHSCORES', 'LIMIT', 0, count + 1)
    local before = {}
    for i = 1, #last, 2 do
      if last[i] ~= id then before[#before + 1] = tonumber(last[i + 1]) end
    end
    if #before >= count then
      late = late or redis.call('ZCOUNT', scope.promises, '-inf', '(' .. promised)
      due = math.max(due, math.ceil(before[count - late % count] + ms * (1 + math.floor(late / count))))
    end
  end
  for _, window in ipairs(scope.windows) do
    local ms, count = window.ms * 14 / 15, window.count
    look(count, ms)
    if count >= 8 and ms < 5000 then look(math.ceil(count / 3), ms / 4) end
  end
  return due
end

-- When there is room behind all that was sent, and promised a time to come. A promise whose time is over says nothing of when its row goes.
local function roomBehind(scope)
  local due = at
  local coming = redis.call('ZCOUNT', scope.promises, '(' .. at, '+inf')
  for _, window in ipairs(scope.windows) do
    local before, set = window.count - 1, scope.promises
    if before >= coming then before, set = before - coming, scope.sent end
    local oldest = redis.call('ZREVRANGE', set, before, before, 'WITHSCORES')
    if oldest[2] then due = math.max(due, tonumber(oldest[2]) + window.ms) end
  end
  return due
end

local function dueAt(scope)
  local promised = redis.call('ZSCORE', scope.promises, id) or redis.call('ZSCORE', scope.sent, id)
  if not promised then return roomBehind(scope) end
  return tonumber(promised) > at and tonumber(promised) or roomAt(scope, tonumber(promised)), true
end

local function send()
  for _, scope in ipairs(scopes) do
    redis.call('ZREM', scope.promises, id)
    put(scope, scope.sent, at)
  end
  return hold()
end

if action == 'cosmetic' or action == 'show' then
  local due = at
  for _, scope in ipairs(scopes) do due = math.max(due, (dueAt(scope))) end
  return due > at and math.ceil(due - at) or send()
end

if action == 'notice' then
  bot.most = bot.longest + ahead / 4
else
  local permitMs = 0
  for _, window in ipairs(bot.windows) do permitMs = math.max(permitMs, window.ms / window.count) end
  -- Who is gone is counted too; what is free now is therefore for all.
  bot.most = bot.longest + math.max(0, ahead - redis.call('ZCOUNT', refused, '(' .. came, at) * permitMs)
end
for _, scope in ipairs(scopes) do
  local due, isPromised = dueAt(scope)
  scope.due = due
  if due > at + scope.most and not isPromised then
    -- A notice takes what is left, and so goes before nobody.
    if action ~= 'notice' then
      redis.call('ZREMRANGEBYSCORE', refused, '-inf', at - lifeMs)
      redis.call('ZADD', refused, came, id)
      redis.call('PEXPIRE', refused, lifeMs)
    end
    -- The longer it waits, the rarer it asks.
    return math.floor(math.min(math.max(due - at - scope.most, (at - came) / 4, ahead / 4), 4 * ahead))
  end
end
redis.call('ZREM', refused, id)
for waits, scope in ipairs(scopes) do
  if scope.due > at then
    -- In those before it there is room already.
    for before = 1, waits do put(scopes[before], scopes[before].promises, math.max(scopes[before].due, at)) end
    -- Redis cuts what stands behind the point: a part of a ms would be a permit.
    return math.ceil(scope.due - at)
  end
end
return send()
