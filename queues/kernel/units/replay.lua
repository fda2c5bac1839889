-- conversation -> how many events went back into the mailbox
check('c', 'in', 'aside')
local at = now()
local seqs = redis.call('HKEYS', key('aside'))
table.sort(seqs, function(a, b) return tonumber(a) < tonumber(b) end)
-- One that is replayed for a second time says so twice: the last holds.
for _, seq in ipairs(seqs) do
  enqueue(string.sub(redis.call('HGET', key('aside'), seq), 1, -2) .. ',"replayed":' .. seq .. '}', at)
end
redis.call('DEL', key('aside'))
return { #seqs }
