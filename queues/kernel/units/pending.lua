-- conversation, after -> routed, stops, pending, congested
local routed, cursor, _, above = counters()
local after = math.max(tonumber(ARGV[2]), cursor)
return { routed, stops(), waiting(after, routed, 200, above), atHome(congested) }
