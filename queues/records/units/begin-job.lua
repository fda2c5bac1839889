-- '', worker, job, who, for how long it is held in ms -> BEGUN, begun before and died, failed | GONE | HELD | OLD | DEADLY
-- It counts as begun when `move-job` says so: who dies while it only waits for room died of another.
-- What is too old, or ended its process each time, is dropped and counted.
local worker, job, by = ARGV[2], ARGV[3], ARGV[4]
expectJobs(worker)
local at = now()
local score = redis.call('ZSCORE', jobsOf(worker), job)
if not score then return { 'GONE' } end
local first, begun, failed, holder = readJob(worker, job)
if holder ~= '-' and holder ~= by and tonumber(score) > at then return { 'HELD' } end
if at - first > oldestMs then
  removeJob(worker, job, 'dropped')
  return { 'OLD' }
end
if begun >= mostBegun then
  removeJob(worker, job, 'failed')
  return { 'DEADLY' }
end
writeJob(worker, job, at + tonumber(ARGV[5]), first, begun, failed, by)
return { 'BEGUN', begun, failed }
