-- prefix; ask|notice|draft|typing, id, chat, then for chat, bot and drafts, typings or notices each: windows n, (count, ms)...
-- -> ms to wait, -1: leave the draft out
-- prefix; pause, '', chat or '' for all, ms -> 0
-- When a bot may send: sorted sets of sends by time, past ones and those promised to somebody. Of any window's last `count` sends the
-- oldest tells when there is room again. A row keeps the place it was promised and is asked for it again; a draft only takes what is free, and
-- notices of what was lost stand in a line of their own, so that they take few places.
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
local action, id, chat = ARGV[1], ARGV[2], ARGV[3]
local lateMs = 15000

local function pauseOf(name) return redis.call('PTTL', KEYS[1] .. 'pause:' .. name) end
if action == 'pause' then
  if pauseOf(chat) < tonumber(ARGV[4]) then redis.call('SET', KEYS[1] .. 'pause:' .. chat, '1', 'PX', ARGV[4]) end
  return 0
end

local next = 4
local function takeWindows()
  local windows = {}
  for i = 1, tonumber(ARGV[next]) do
    windows[i] = { count = tonumber(ARGV[next + 2 * i - 1]), ms = tonumber(ARGV[next + 2 * i]) }
  end
  next = next + 1 + 2 * #windows
  return windows
end
local scopes = {
  { name = KEYS[1] .. 'chat:' .. chat, windows = takeWindows() },
  { name = KEYS[1] .. 'bot', windows = takeWindows() },
}
local lines = { draft = 'drafts:', typing = 'typings:' }
local few = { name = KEYS[1] .. (lines[action] or 'notices:') .. chat, windows = takeWindows() }

local function dueAt(scope)
  local promised = redis.call('ZSCORE', scope.name, id)
  if promised then return tonumber(promised) end
  local due = at
  for _, window in ipairs(scope.windows) do
    local oldest = redis.call('ZREVRANGE', scope.name, window.count - 1, window.count - 1, 'WITHSCORES')
    if oldest[2] then due = math.max(due, tonumber(oldest[2]) + window.ms) end
  end
  return due
end

local function take(scope, when)
  local longest = 0
  for _, window in ipairs(scope.windows) do longest = math.max(longest, window.ms) end
  if longest == 0 then return end
  -- Who comes a little late for a promise still finds it.
  longest = longest + lateMs
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
for _, scope in ipairs(scopes) do
  local due = dueAt(scope)
  take(scope, math.max(due, at))
  if due > at then return due - at end
end
return 0
