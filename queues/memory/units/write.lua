-- scope, via, id, most records, JSON before the number, JSON behind it, its words, its slot, when it was said where it fades, what was seen or `*`, changes of
-- others; `*`: it is written whatever is like it
-- -> NEW, number | SAME, number, number...: it was written before, and who shares its slot | GONE: it was taken away | FULL
-- | MOVED, as in `memory.lua` | LOOK, what is seen, how many are like it, JSON of these, JSON of who shares its slot
local id, most, words, slot, changes = ARGV[3], tonumber(ARGV[4]), ARGV[7], ARGV[8], 11
expectMemory()
local moved = elsewhere()
if moved then return moved end
local known = redis.call('HGET', key('mi'), '@' .. id)
if known then return { 'SAME', known, unpack(readMates(slot, known)) } end
if redis.call('ZSCORE', key('mg'), id) then return { 'GONE' } end
local seen = ARGV[10] ~= '*' and look(findLike(words), readMates(slot), ARGV[10], changes)
if seen then return seen end
if redis.call('HLEN', key('mr')) >= most then return { 'FULL' } end
local number = whole(redis.call('HINCRBY', key('mc'), 'last', 1))
redis.call('HSET', key('mr'), number, ARGV[5] .. number .. ARGV[6])
place(number, id, words, slot)
setFading(number, ARGV[9])
for i = changes + 2, #ARGV, 3 do ARGV[i] = string.gsub(ARGV[i], ',"supersededBy":0', ',"supersededBy":' .. number, 1) end
changeOthers(changes)
noteChange(number)
return { 'NEW', number }
