-- scope, what is to go: `#<number>` or `@<id>`... -> how many went. An id that is not known is kept out from now on.
expectMemory()
local at, gone = now(), 0
for i = 2, #ARGV do
  local name, rest = string.sub(ARGV[i], 1, 1), string.sub(ARGV[i], 2)
  local number = name == '#' and rest or redis.call('HGET', key('mi'), ARGV[i])
  if number then gone = gone + takeAway(number, at) else redis.call('ZADD', key('mg'), whole(at), rest) end
end
trimGone(at)
return gone
