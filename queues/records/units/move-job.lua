-- '', worker, job, who, in how many ms, held | failed | later | begun, for which time it is begun -> OK | BEHIND | DROPPED
-- It is held on, or put off: since it failed, or since it cannot be done now. Who puts it off lives, so that it killed nobody.
local worker, job, by, at, why = ARGV[2], ARGV[3], ARGV[4], now() + tonumber(ARGV[5]), ARGV[6]
expectJobs(worker)
local first, begun, failed, holder = readJob(worker, job)
if holder ~= by then return 'BEHIND' end
if why == 'begun' then begun = tonumber(ARGV[7]) end
if why == 'held' or why == 'begun' then
  writeJob(worker, job, at, first, begun, failed, by)
  return 'OK'
end
if why == 'failed' then failed = failed + 1 end
if failed >= mostFailed then
  removeJob(worker, job, 'failed')
  return 'DROPPED'
end
writeJob(worker, job, at, first, 0, failed, '-')
return 'OK'
