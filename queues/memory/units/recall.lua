-- scope, via, version that is known, most records -> version | MOVED, as in `memory.lua` | version, how many there are, (number, JSON)...: all of them, or the newest where they are more
-- Each turn asks, and nearly always for what it knows: one command then.
local via = ARGV[2]
local version, last, to, of = unpack(redis.call('HMGET', key('mc'), 'version', 'last', 'to', 'of ' .. via))
if via == '-' and to then return { 'MOVED', to } end
if via ~= '-' and not of then return { 'MOVED', '' } end
version = version or '0'
if version == ARGV[3] then return { version } end
-- What it reads, and no more of what a writer looks at.
expect(key('mc'), 'hash')
expect(key('mr'), 'hash')
local most, count = tonumber(ARGV[4]), redis.call('HLEN', key('mr'))
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
