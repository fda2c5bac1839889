-- conversation, worker, job, who, id of the record or empty, (target, id, what it says) of letters... -> OK | BEHIND | FORGOTTEN
-- The letters are written with the end of the job, once; of a record that is gone none is.
local worker, job, by, id = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
expectJobs(worker)
if readJob(worker, job).by ~= by then return 'BEHIND' end
local letters = {}
for i = 6, #ARGV do letters[i - 5] = ARGV[i] end
local isGone = id ~= '' and redis.call('HEXISTS', key('tr'), id) == 0
if #letters > 0 and not isGone then
  expectRoomForLetters(letters)
  writeLetters(letters, now())
end
removeJob(worker, job)
return isGone and 'FORGOTTEN' or 'OK'
