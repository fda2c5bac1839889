-- conversation, reason ('' puts it back) -> the reason; where a command met a key of another type, it names the key
check()
local reason = ARGV[2]
-- Nothing of a task is routed or delivered, and one that was dropped is not parked.
local isGone = isTask(conv) and not atHome(hasTask, conv)
local works = isGone and {} or isTask(conv) and { 'run' } or { 'route', 'run', 'out' }
if reason == '' then
  redis.call('HDEL', P .. 'parked', conv)
  parkedFor = false
  for _, what in ipairs(works) do wake(what, now()) end
  return reason
end
if string.find(reason, 'WRONGTYPE', 1, true) then
  for kind, wanted in pairs(kinds) do reason = mismatch(key(kind), wanted) or reason end
end
if not isGone then redis.call('HSET', P .. 'parked', conv, reason) end
for _, what in ipairs(works) do rest(what) end
return reason
