-- scope, via, what is to go: `#<number>` or `@<id>`... -> how many records went | MOVED, as in `memory.lua`. An id that is not known is kept out from now on. What of the graph has the id
-- goes, too.
expectMemory()
expectGraph()
local moved = elsewhere()
if moved then return moved end
local at, gone = now(), 0
for i = 3, #ARGV do
  local name, rest = string.sub(ARGV[i], 1, 1), string.sub(ARGV[i], 2)
  local number = name == '#' and rest or redis.call('HGET', key('mi'), ARGV[i])
  if number then gone = gone + takeAway(number, at) else redis.call('ZADD', key('mg'), whole(at), rest) end
  if name == '@' then takeBatch(rest) end
end
noteEnd()
trimGone(at)
return gone
