-- take | renew | release, owner, ttl, (who held it and is gone)? -> 1 when the caller holds the lease (or has given it back), else who holds it, or 0
local what, owner, ttl, gone = unpack(ARGV)
local holder = redis.call('GET', KEYS[1])
if what == 'release' then
  if holder ~= owner then return 0 end
  return redis.call('DEL', KEYS[1])
end
if holder ~= owner and holder ~= gone and (holder or what == 'renew') then return holder or 0 end
redis.call('SET', KEYS[1], owner, 'PX', ttl)
return 1
