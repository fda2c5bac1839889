-- '', reader, who -> where it has read to, how many have begun with what comes next, 0 where nothing does
-- Who ends before it has passed that line has begun with it all the same, so that what ends its reader each time is known. Who comes again did
-- not end: its beginning is not counted for the second time, as after a reply that was lost or while Redis was away.
expect(P .. 'readers', 'hash')
local readers, reader, who = P .. 'readers', ARGV[2], ARGV[3]
local after, starts, by = unpack(redis.call('HMGET', readers, reader, reader .. '/starts', reader .. '/by'))
after, starts = after or '0-0', toNumber(starts, readers, reader .. '/starts')
if not redis.call('XRANGE', P .. 'records', '(' .. after, '+', 'COUNT', 1)[1] then return { after, 0 } end
if string.find(' ' .. (by or '') .. ' ', ' ' .. who .. ' ', 1, true) then return { after, starts } end
redis.call('HSET', readers, reader .. '/starts', whole(starts + 1), reader .. '/by', by and by ~= '' and by .. ' ' .. who or who)
return { after, starts + 1 }
