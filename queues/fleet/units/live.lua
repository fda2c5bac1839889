-- what the process is, ttl -> 1 when its key stood until now, else 0
local stood = redis.call('EXISTS', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return stood
