-- scope, via, number... -> how many records went to another scope: their ids may come back | MOVED, as in `memory.lua`
expectMemory()
local moved = elsewhere()
if moved then return moved end
local gone = 0
for i = 3, #ARGV do gone = gone + takeAway(ARGV[i]) end
return gone
