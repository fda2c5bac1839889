-- scope, name of an item... -> how many there were, (JSON)...
-- JSON: an item of each batch that nothing is left of.
expectMemory()
expectGraph()
local at, taken = now(), 0
for i = 2, #ARGV do
  if redis.call('HEXISTS', key('gi'), ARGV[i]) == 1 then
    taken = taken + 1
    evict(ARGV[i])
  end
end
noteEnd()
trimGone(at)
return { taken, unpack(emptied) }
