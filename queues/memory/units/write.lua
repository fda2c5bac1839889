-- scope, id, hash of the words, most records, JSON before the number, JSON behind it
-- -> NEW, number | SAME, number: it was written before | REPEAT, number: the words are known | GONE: it was taken away | FULL
local id, words, most = ARGV[2], ARGV[3], tonumber(ARGV[4])
expectMemory()
local known = redis.call('HGET', key('mi'), '@' .. id)
if known then return { 'SAME', known } end
if redis.call('ZSCORE', key('mg'), id) then return { 'GONE', '' } end
local same = redis.call('HGET', key('mi'), '=' .. words)
if same then return { 'REPEAT', same } end
if redis.call('HLEN', key('mr')) >= most then return { 'FULL', '' } end
local number = whole(redis.call('HINCRBY', key('mc'), 'last', 1))
redis.call('HSET', key('mr'), number, ARGV[5] .. number .. ARGV[6])
redis.call('HSET', key('mi'), '@' .. id, number, '=' .. words, number, '#' .. number, id .. '\n' .. words)
noteChange(number)
return { 'NEW', number }
