-- '', worker, in how many ms, job -> OK
expectJobs(ARGV[2])
addJob(ARGV[2], ARGV[4], tonumber(ARGV[3]), now())
return 'OK'
