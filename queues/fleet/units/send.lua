-- prefix; ask|notice|draft|typing, id, chat, ahead in ms, when it came or 0 for now, then for chat, bot and drafts, typings or notices each: windows n, (count, ms)...
-- -> ms to wait, -1: leave the draft out
-- prefix; pause, '', chat or '' for all, ms -> 0
-- When a bot may send: sorted sets of sends by time, past ones and those promised to somebody. Of any window's last `count` sends the
-- oldest tells when there is room again. A row keeps the permit it was promised and is asked for it again; a draft only takes what is free, and
-- notices of what was lost stand in a line of their own, so that they take few permits.
-- Where everybody together wants more than the bot may send, its permits are promised for `ahead` at most. Who finds none is told to ask again,
-- and waits in `refused`, by the time it came: the newest goes first, an older one gets only what the newer leave, and notices what both leave.
-- So what is new goes soon, and no permit is kept for what expires before.
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
local action, id, chat = ARGV[1], ARGV[2], ARGV[3]
local lateMs = 15000

local function pauseOf(name) return redis.call('PTTL', KEYS[1] .. 'pause:' .. name) end
if action == 'pause' then
  if pauseOf(chat) < tonumber(ARGV[4]) then redis.call('SET', KEYS[1] .. 'pause:' .. chat, '1', 'PX', ARGV[4]) end
  return 0
end

local ahead = tonumber(ARGV[4])
-- How long a row waits to be sent before it expires.
local lifeMs = 40 * ahead
local refused = KEYS[1] .. 'refused'
local came = tonumber(ARGV[5])
if came == 0 or came > at then came = at end

local next = 6
-- `most`: how far ahead its permits are promised.
local function takeScope(name, most)
  local scope = { name = KEYS[1] .. name, windows = {}, longest = 0 }
  for i = 1, tonumber(ARGV[next]) do
    local ms = tonumber(ARGV[next + 2 * i])
    scope.windows[i] = { count = tonumber(ARGV[next + 2 * i - 1]), ms = ms }
    scope.longest = math.max(scope.longest, ms)
  end
  next = next + 1 + 2 * #scope.windows
  scope.most = most + scope.longest
  -- What lies further ahead was written before Redis' clock was set back.
  if scope.longest > 0 then redis.call('ZREMRANGEBYSCORE', scope.name, '(' .. at + scope.most + lateMs, '+inf') end
  return scope
end
local scopes = { takeScope('chat:' .. chat, lifeMs), takeScope('bot', ahead) }
local bot = scopes[2]
local lines = { draft = 'drafts:', typing = 'typings:' }
local few = takeScope((lines[action] or 'notices:') .. chat, lifeMs)

-- When there is room for who comes for its promise, at its time or late: others may have come late just before. Who is due and has not come
-- counts as sent. The windows are looked at without the margin, in which requests are a little uneven.
local function roomAt(scope, promised)
  local due = promised
  for _, window in ipairs(scope.windows) do
    local ms = window.ms * 14 / 15
    local last = redis.call('ZREVRANGEBYSCORE', scope.name, at, '(' .. at - ms, 'WITHSCORES', 'LIMIT', 0, window.count + 1)
    local others = 0
    for i = 1, #last, 2 do
      if last[i] ~= id then others = others + 1 end
      if last[i] ~= id and others == window.count then due = math.max(due, math.ceil(tonumber(last[i + 1]) + ms)) end
    end
  end
  return due
end

local function dueAt(scope)
  local promised = redis.call('ZSCORE', scope.name, id)
  if promised then return tonumber(promised) > at and tonumber(promised) or roomAt(scope, tonumber(promised)), true end
  local due = at
  for _, window in ipairs(scope.windows) do
    local oldest = redis.call('ZREVRANGE', scope.name, window.count - 1, window.count - 1, 'WITHSCORES')
    if oldest[2] then due = math.max(due, tonumber(oldest[2]) + window.ms) end
  end
  return due
end

local function take(scope, when)
  if scope.longest == 0 then return end
  -- Who comes a little late for a promise still finds it.
  local longest = scope.longest + lateMs
  redis.call('ZREMRANGEBYSCORE', scope.name, '-inf', at - longest)
  redis.call('ZADD', scope.name, when, id)
  local last = redis.call('ZREVRANGE', scope.name, 0, 0, 'WITHSCORES')
  redis.call('PEXPIRE', scope.name, math.floor(tonumber(last[2]) - at + longest))
end

local pause = math.max(pauseOf(chat), pauseOf(''))
if lines[action] then
  scopes[3] = few
  if pause > 0 then return -1 end
  for _, scope in ipairs(scopes) do
    if dueAt(scope) > at then return -1 end
  end
  for _, scope in ipairs(scopes) do take(scope, at) end
  return 0
end

if pause > 0 then return pause end
if action == 'notice' then table.insert(scopes, 1, few) end
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
for _, scope in ipairs(scopes) do
  take(scope, math.max(scope.due, at))
  if scope.due > at then return scope.due - at end
end
return 0
