-- conversation -> how many events went back into the mailbox
check('c', 'in', 'aside')
local at = now()
local seqs = redis.call('HKEYS', key('aside'))
table.sort(seqs, function(a, b) return tonumber(a) < tonumber(b) end)
for _, seq in ipairs(seqs) do enqueue(redis.call('HGET', key('aside'), seq), at) end
redis.call('DEL', key('aside'))
return { #seqs }
