-- conversation, draft: the latest wins, gone after a minute. One that arrives after its turn's end shows nothing: nobody would take it away.
if fate((string.match(ARGV[2], '"turn":"([^"]+)"') or '') .. '-end') then return 0 end
redis.call('SET', key('draft'), ARGV[2], 'PX', 60000)
return redis.call('PUBLISH', 'fl:live:' .. conv, ARGV[2])
