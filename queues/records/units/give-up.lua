-- '', older than ms -> how many lines were given up since they are older; many more may be
expect(P .. 'records', 'stream')
numbers(P .. 'recorded', 'bytes', 'lost')
local before = now() - tonumber(ARGV[2])
return recording().giveUp(function(name) return tonumber(string.match(name, '^%d+')) < before end)
