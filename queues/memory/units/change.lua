-- scope, number, JSON as it was read, JSON as it is to be, its words, its slot, when it was said where it fades, what was seen, changes of others
-- -> OK | STALE: it is another one by now | LOOK, as in `write.lua`, of who shares its slot
local number, slot, changes = ARGV[2], ARGV[6], 9
expectMemory()
if redis.call('HGET', key('mr'), number) ~= ARGV[3] then return { 'STALE' } end
local seen = look({}, readMates(slot, number), ARGV[8], changes)
if seen then return seen end
redis.call('HSET', key('mr'), number, ARGV[4])
local id = toIdAndSlot(number)
if id then place(number, id, ARGV[5], slot) end
setFading(number, ARGV[7])
changeOthers(changes)
noteChange(number)
return { 'OK' }
