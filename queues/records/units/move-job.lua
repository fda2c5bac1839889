-- '', worker, job, who, in how many ms, held | failed | later | begun, for which time it is begun -> OK | BEHIND | DROPPED
-- It is held on, or put off: since it failed, or since it cannot be done now. Who puts it off lives, so that it killed nobody.
local worker, job, by, at, why = ARGV[2], ARGV[3], ARGV[4], now(), ARGV[6]
local untilMs = at + tonumber(ARGV[5])
expectJobs(worker)
local one = readJob(worker, job)
if one.by ~= by then return 'BEHIND' end
if why == 'begun' then
  one.begun = tonumber(ARGV[7])
  if one.tried == 0 then one.tried = at end
end
if why == 'held' or why == 'begun' then
  writeJob(worker, job, untilMs, one)
  return 'OK'
end
if why == 'failed' then one.failed = one.failed + 1 end
if one.failed >= mostFailed then
  removeJob(worker, job, 'failed')
  return 'DROPPED'
end
one.begun, one.by = 0, '-'
writeJob(worker, job, untilMs, one)
return 'OK'
