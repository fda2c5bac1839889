-- conversation, owner, ttl -> OK, stops | LOST
if redis.call('GET', key('lease')) ~= ARGV[2] then return { 'LOST' } end
redis.call('PEXPIRE', key('lease'), ARGV[3])
return { 'OK', stops() }
