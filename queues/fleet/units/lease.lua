-- take | renew | release, owner, ttl -> 1 when the caller holds the lease (or has given it back), else 0
local what, owner, ttl = ARGV[1], ARGV[2], ARGV[3]
local holder = redis.call('GET', KEYS[1])
if what == 'release' then
  if holder ~= owner then return 0 end
  return redis.call('DEL', KEYS[1])
end
if holder ~= owner and (holder or what == 'renew') then return 0 end
redis.call('SET', KEYS[1], owner, 'PX', ttl)
return 1
