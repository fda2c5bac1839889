-- conversation, pointer... -> OK
expect(key('mf'), 'zset')
for i = 2, #ARGV do redis.call('ZREM', key('mf'), ARGV[i]) end
return 'OK'
