-- The hash of one person, which goes when nothing is heard of them for long.
-- note, (field, value)...: an empty value takes a field away | find -> (field, value)... | tell, chat, for how long in ms -> whether nobody did it before
-- choose, setting, choice -> whether there is room | chosen, setting -> choice
local person, what = KEYS[1], ARGV[1]
local keepSeconds, mostTold, mostChosen = 400 * 86400, 50, 20
local renewBelowSeconds = keepSeconds - 30 * 86400

if what == 'find' then return redis.call('HGETALL', person) end
if what == 'chosen' then
  local chosen = redis.call('HGET', person, 'own:' .. ARGV[2])
  -- Who speaks in groups alone is heard of by this alone.
  if chosen and redis.call('TTL', person) < renewBelowSeconds then redis.call('EXPIRE', person, keepSeconds) end
  return chosen
end
if what == 'choose' then
  local field, count = 'own:' .. ARGV[2], 0
  for _, known in ipairs(redis.call('HKEYS', person)) do
    if known ~= field and string.sub(known, 1, 4) == 'own:' then count = count + 1 end
  end
  if count >= mostChosen then return 0 end
  redis.call('HSET', person, field, ARGV[3])
  redis.call('EXPIRE', person, keepSeconds)
  return 1
end
if what == 'tell' then
  local t = redis.call('TIME')
  local at, field = t[1] * 1000 + math.floor(t[2] / 1000), 'told:' .. ARGV[2]
  local before = tonumber(redis.call('HGET', person, field) or '-inf')
  if at - before < tonumber(ARGV[3]) then return 0 end
  redis.call('HSET', person, field, string.format('%.0f', at))
  local all, told = redis.call('HGETALL', person), {}
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, 5) == 'told:' then told[#told + 1] = { all[i], tonumber(all[i + 1]) } end
  end
  table.sort(told, function(a, b) return a[2] > b[2] end)
  for i = mostTold + 1, #told do redis.call('HDEL', person, told[i][1]) end
else
  for i = 2, #ARGV, 2 do
    if ARGV[i + 1] == '' then redis.call('HDEL', person, ARGV[i]) else redis.call('HSET', person, ARGV[i], ARGV[i + 1]) end
  end
end
redis.call('EXPIRE', person, keepSeconds)
return 1
