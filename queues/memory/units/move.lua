-- scope, via, number, JSON as it was read -> 1: the record went to another scope, and its id may come back | 0: it is another one by now | MOVED, as in
-- `memory.lua`
expectMemory()
local moved = elsewhere()
if moved then return moved end
if redis.call('HGET', key('mr'), ARGV[3]) ~= ARGV[4] then return 0 end
return takeAway(ARGV[3])
