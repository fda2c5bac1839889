-- conversation, after -> routed, stops, pending
local routed = number(key('c'), 'routed')
local after = math.max(tonumber(ARGV[2]), number(key('c'), 'cursor'))
return { routed, stops(), waiting(after, routed, 200) }
