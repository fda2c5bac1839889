-- scope, via, number, JSON as it was read, JSON as it is to be, its words, its slot, when it was said where it fades, what was seen, changes of others
-- -> OK | STALE: it is another one by now | MOVED, as in `memory.lua` | LOOK, as in `write.lua`, of who shares its slot
local number, slot, changes = ARGV[3], ARGV[7], 10
expectMemory()
local moved = elsewhere()
if moved then return moved end
if redis.call('HGET', key('mr'), number) ~= ARGV[4] then return { 'STALE' } end
local seen = look({}, readMates(slot, number), ARGV[9], changes)
if seen then return seen end
redis.call('HSET', key('mr'), number, ARGV[5])
local id = toIdAndSlot(number)
if id then place(number, id, ARGV[6], slot) end
setFading(number, ARGV[8])
changeOthers(changes)
noteChange(number)
return { 'OK' }
