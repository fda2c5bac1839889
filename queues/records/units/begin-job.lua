-- '', worker, job, who, for how long it is held in ms -> BEGUN, begun before and died, failed | GONE | HELD | OLD | DEADLY
-- It counts as begun when `move-job` says so: who dies while it only waits for room died of another.
-- What was begun a day ago for the first time, or ended its process each time, is dropped and counted: what only waited, while none could do it, is not.
local worker, job, by = ARGV[2], ARGV[3], ARGV[4]
expectJobs(worker)
local at = now()
local score = redis.call('ZSCORE', jobsOf(worker), job)
if not score then return { 'GONE' } end
local one = readJob(worker, job)
if one.by ~= '-' and one.by ~= by and tonumber(score) > at then return { 'HELD' } end
if one.tried > 0 and at - one.tried > oldestMs then
  removeJob(worker, job, 'dropped')
  return { 'OLD' }
end
if one.begun >= mostBegun then
  removeJob(worker, job, 'failed')
  return { 'DEADLY' }
end
one.by = by
writeJob(worker, job, at + tonumber(ARGV[5]), one)
return { 'BEGUN', one.begun, one.failed }
