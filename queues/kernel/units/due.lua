-- '', grace, put off?, processes that are gone... -> how many pieces of work there are, for how long the oldest has been due in ms, the
-- processes at whose hands some of it is, whether timers or letters are due, (what:conversation, since ms, dropped?)... A run that was claimed and not given back took its hint
-- along: that is said once.
-- `wake` has the time at which each is due, or is to be looked at again; then `late` has the time at which it was due.
local at, grace, puts = now(), tonumber(ARGV[2]), ARGV[3] == '1'
local wakes, late = P .. 'wake', P .. 'late'
local most, longestMs = 100, 20000
local gone, holders, named = {}, {}, {}
for i = 4, #ARGV do gone[ARGV[i]] = true end
-- Whether somebody is at it who is not known to be gone.
local function isHeld(lease)
  local holder = redis.call('GET', lease)
  local process = holder and string.match(holder, '^@([^/]+)/')
  if not process then return holder end
  if gone[process] then return false end
  if not named[process] then
    named[process] = true
    holders[#holders + 1] = process
  end
  return true
end
local oldest = 0
for _, name in ipairs({ wakes, late }) do
  local first = redis.call('ZRANGE', name, 0, 0, 'WITHSCORES')
  if first[2] then oldest = math.max(oldest, at - first[2]) end
end
-- Of a broken key the unit that reads it tells.
local function isDue(name) return redis.pcall('ZCOUNT', P .. name, '-inf', whole(at)) ~= 0 end
local fires = puts and (isDue('timers') or isDue('letters')) and 1 or 0
local flat, found, offset = { redis.call('ZCARD', wakes), whole(oldest), holders, fires }, {}, 0
while #found < most and offset < 1000 do
  local page = redis.call('ZRANGEBYSCORE', wakes, '-inf', puts and at - grace or '+inf', 'WITHSCORES', 'LIMIT', offset, 100)
  if #page == 0 then break end
  offset = offset + 100
  for i = 1, #page, 2 do
    local what, name = string.match(page[i], '^(%a+):(.+)$')
    conv = name
    local lease = what == 'run' and key('lease') or what == 'out' and key('ol') or nil
    local since = tonumber(redis.call('ZSCORE', late, page[i]) or page[i + 1])
    if #found < most and at - since >= grace and not (lease and isHeld(lease)) then
      found[#found + 1] = page[i]
      flat[#flat + 1] = page[i]
      flat[#flat + 1] = at - since
      flat[#flat + 1] = what == 'run' and redis.pcall(puts and 'HDEL' or 'HEXISTS', key('r'), 'held') == 1 and 1 or 0
    end
  end
end
-- Looked at ever less often, so that what nobody takes hides nothing younger.
for i = 1, puts and #found or 0 do
  local since = at - flat[i * 3 + 3]
  redis.call('ZADD', late, 'NX', string.format('%.0f', since), found[i])
  local afterMs = math.min(longestMs, 1000 + (at - since) / 2)
  redis.call('ZADD', wakes, 'XX', string.format('%.0f', at - grace + afterMs), found[i])
end
return flat
