-- '', worker, how many, for how long they are on their way in ms -> jobs...
-- Of those that are due the newest of each conversation, then the next of each, and of one conversation only so many at once: who has many does not
-- keep others waiting.
local mostLookedAt, mostUnderWay, longestMs = 500, 16, 86400000
local worker, most, wayMs = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
expectJobs(worker)
local at = now()
-- None is put off for longer than a day: what is, came by while the clock was wrong.
for _, job in ipairs(redis.call('ZRANGEBYSCORE', jobsOf(worker), '(' .. whole(at + longestMs), '+inf', 'LIMIT', 0, mostLookedAt)) do
  local one = readJob(worker, job)
  one.first, one.tried, one.by = at, math.min(one.tried, at), '-'
  writeJob(worker, job, at, one)
end
local due, ranks, rankOf, orderOf = {}, {}, {}, {}
local underWay = {}
for _, job in ipairs(redis.call('ZRANGEBYSCORE', jobsOf(worker), '(' .. whole(at), '+inf', 'LIMIT', 0, mostLookedAt)) do
  local _, conversation = partsOf(job)
  if conversation then underWay[conversation] = (underWay[conversation] or 0) + 1 end
end
for i, job in ipairs(redis.call('ZREVRANGEBYSCORE', jobsOf(worker), whole(at), '-inf', 'LIMIT', 0, mostLookedAt)) do
  local _, conversation = partsOf(job)
  if conversation then
    ranks[conversation] = (ranks[conversation] or 0) + 1
    rankOf[job], orderOf[job] = ranks[conversation], i
    if ranks[conversation] + (underWay[conversation] or 0) <= mostUnderWay then due[#due + 1] = job end
  else
    removeJob(worker, job)
  end
end
table.sort(due, function(a, b)
  if rankOf[a] ~= rankOf[b] then return rankOf[a] < rankOf[b] end
  return orderOf[a] < orderOf[b]
end)
local taken = {}
for i = 1, math.min(most, #due) do
  taken[i] = due[i]
  -- Who held it and did not hold it on has it no more.
  local one = readJob(worker, due[i])
  one.by = '-'
  writeJob(worker, due[i], at + wayMs, one)
end
return taken
