-- scope, `!`, number... -> how many records went to another scope: their ids may come back
expectMemory()
local gone = 0
for i = 3, #ARGV do gone = gone + takeAway(ARGV[i]) end
return gone
