-- conversation, owner, ttl, row -> OK | LOST: the sender's lease while its request runs. One that ended by itself is taken back
-- as long as the row is still this sender's.
local owner, ttl, id = ARGV[2], ARGV[3], ARGV[4]
check('ol')
local name = row(id)
expect(name, 'hash')
local holder = redis.call('GET', key('ol'))
local state, by = unpack(redis.call('HMGET', name, 's', 'ow'))
local mine = state == 'sending' and by == owner
if holder ~= owner and (holder or not mine) then return { 'LOST' } end
redis.call('SET', key('ol'), owner, 'PX', ttl)
return { 'OK' }
