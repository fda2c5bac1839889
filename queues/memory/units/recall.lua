-- scope, version that is known, most records -> version | version, how many there are, (number, JSON)...: all of them, or the newest where they are more
-- Each turn asks, and nearly always for what it knows: one command then.
local version, last = unpack(redis.call('HMGET', key('mc'), 'version', 'last'))
version = version or '0'
if version == ARGV[2] then return { version } end
-- What it reads, and no more of what a writer looks at.
expect(key('mc'), 'hash')
expect(key('mr'), 'hash')
local most, count = tonumber(ARGV[3]), redis.call('HLEN', key('mr'))
if count <= most then return { version, count, redis.call('HGETALL', key('mr')) } end
local numbers, found = {}, {}
for number = toNumber(last, key('mc'), 'last'), 1, -1 do
  if #found >= 2 * most or #numbers >= 20 * most then break end
  numbers[#numbers + 1] = number
  local json = redis.call('HGET', key('mr'), whole(number))
  if json then
    found[#found + 1] = whole(number)
    found[#found + 1] = json
  end
end
return { version, count, found }
