-- What all processes remember of something on a platform, each note a key of its own that goes by itself.
-- find -> the words, or '' | put, words, ttl
if ARGV[1] == 'find' then return redis.call('GET', KEYS[1]) or '' end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
