-- conversation, draft: the latest wins, gone after a minute
redis.call('SET', key('draft'), ARGV[2], 'PX', 60000)
redis.call('PUBLISH', 'fl:live:' .. conv, ARGV[2])
return 1
