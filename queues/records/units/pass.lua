-- conversation, reader, where it had read to, where it has now, begins the next?, who does, set aside?, worker, in how many ms a job or empty,
-- (target, id, what it says) of letters... -> OK | BEHIND
-- The letters are of the conversation that the line is about; they and its job are written with the step that passes it: once.
local reader, before, name, goesOn, by, aside = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7] == '1'
local worker, inMs = ARGV[8], ARGV[9]
local readers = P .. 'readers'
expect(readers, 'hash')
if (redis.call('HGET', readers, reader) or '0-0') ~= before then return 'BEHIND' end
local letters = {}
for i = 10, #ARGV do letters[i - 9] = ARGV[i] end
if inMs ~= '' then expectJobs(worker) end
if #letters > 0 then
  expectRoomForLetters(letters)
  writeLetters(letters, now())
end
if inMs ~= '' then addJob(worker, reader .. ' ' .. conv .. ' ' .. name, tonumber(inMs), now()) end
redis.call('HSET', readers, reader, name, reader .. '/starts', goesOn, reader .. '/by', by)
if aside then redis.call('HINCRBY', readers, reader .. '/aside', 1) end
return 'OK'
