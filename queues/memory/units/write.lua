-- scope, id, most records, JSON before the number, JSON behind it, its words, its slot, when it was said where it fades, what was seen, changes of others
-- -> NEW, number | SAME, number, number...: it was written before, and who shares its slot | GONE: it was taken away | FULL
-- | LOOK, what is seen, how many are like it, JSON of these, JSON of who shares its slot
local id, most, words, slot, changes = ARGV[2], tonumber(ARGV[3]), ARGV[6], ARGV[7], 10
expectMemory()
local known = redis.call('HGET', key('mi'), '@' .. id)
if known then return { 'SAME', known, unpack(readMates(slot, known)) } end
if redis.call('ZSCORE', key('mg'), id) then return { 'GONE' } end
local seen = look(findLike(words), readMates(slot), ARGV[9], changes)
if seen then return seen end
if redis.call('HLEN', key('mr')) >= most then return { 'FULL' } end
local number = whole(redis.call('HINCRBY', key('mc'), 'last', 1))
redis.call('HSET', key('mr'), number, ARGV[4] .. number .. ARGV[5])
place(number, id, words, slot)
setFading(number, ARGV[8])
for i = changes + 2, #ARGV, 3 do ARGV[i] = string.gsub(ARGV[i], ',"supersededBy":0', ',"supersededBy":' .. number, 1) end
changeOthers(changes)
noteChange(number)
return { 'NEW', number }
