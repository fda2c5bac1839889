-- conversation, 'add', when in ms, JSON, message... -> 1 | 0: one of these messages is forgotten
-- conversation, 'read', from when, until when, most -> JSON..., the oldest first: of more the newest
-- conversation, 'forget', message...: what names one of them goes; without a message all of it -> how many went
-- conversation, 'day', its noon in ms, JSON, message... -> 1 | 0, as above: the line of a day takes the place of the one before
-- conversation, 'days', from when, until when -> JSON..., the oldest first; 'undays', noon of each... -> how many went
local what, at = ARGV[2], now()
local mostEntries, keepMs = 2000, 30 * 86400000
local mostDays, keepDaysMs = 400, 400 * 86400000
expect(key('lg'), 'zset')
expect(key('ld'), 'zset')
if what == 'add' or what == 'day' then
  for i = 5, #ARGV do
    if redis.call('ZSCORE', key('mt'), ARGV[i]) then return 0 end
  end
end
if what == 'day' then
  redis.call('ZREMRANGEBYSCORE', key('ld'), ARGV[3], ARGV[3])
  redis.call('ZADD', key('ld'), ARGV[3], ARGV[4])
  redis.call('ZREMRANGEBYSCORE', key('ld'), '-inf', whole(at - keepDaysMs))
  redis.call('ZREMRANGEBYRANK', key('ld'), 0, -mostDays - 1)
  redis.call('PEXPIRE', key('ld'), keepDaysMs)
  return 1
end
if what == 'days' then return redis.call('ZRANGEBYSCORE', key('ld'), ARGV[3], ARGV[4]) end
if what == 'undays' then
  local gone = 0
  for i = 3, #ARGV do gone = gone + redis.call('ZREMRANGEBYSCORE', key('ld'), ARGV[i], ARGV[i]) end
  return gone
end
if what == 'add' then
  redis.call('ZADD', key('lg'), ARGV[3], ARGV[4])
  redis.call('ZREMRANGEBYSCORE', key('lg'), '-inf', whole(at - keepMs))
  redis.call('ZREMRANGEBYRANK', key('lg'), 0, -mostEntries - 1)
  redis.call('PEXPIRE', key('lg'), keepMs)
  return 1
end
if what == 'read' then
  local found = redis.call('ZREVRANGEBYSCORE', key('lg'), ARGV[4], ARGV[3], 'LIMIT', 0, ARGV[5])
  local ordered = {}
  for i = #found, 1, -1 do ordered[#ordered + 1] = found[i] end
  return ordered
end
if #ARGV == 2 then
  local count = redis.call('ZCARD', key('lg'))
  redis.call('DEL', key('lg'), key('ld'))
  return count
end
local wanted, gone = {}, 0
for i = 3, #ARGV do wanted[ARGV[i]] = true end
-- Its messages stand last. In what was asked and answered each quotation mark has a backslash before it, so that these patterns meet none.
local function names(entry)
  local ids = string.match(entry, '"messages":%[(.*)%]}$') or entry
  if not string.find(ids, '\\', 1, true) then
    for id in string.gmatch(ids, '"[^"]*"') do
      if wanted[id] then return true end
    end
    return false
  end
  for i = 3, #ARGV do
    if string.find(ids, ARGV[i], 1, true) then return true end
  end
  return false
end
for _, kept in ipairs({ key('lg'), key('ld') }) do
  for _, entry in ipairs(redis.call('ZRANGE', kept, 0, -1)) do
    if names(entry) then gone = gone + redis.call('ZREM', kept, entry) end
  end
end
return gone
