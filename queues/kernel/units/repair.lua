-- conversation -> how many step keys were put back into a missing index
check('r', 'j', 'x')
local r = key('r')
local jseq, snapSeq = numbers(r, 'jseq', 'snapSeq')
local open = jseq - snapSeq
if open <= 0 or redis.call('EXISTS', key('x')) == 1 then return 0 end
local found = 0
for _, stored in ipairs(redis.call('LRANGE', key('j'), -open, -1)) do
  local seq, step = string.match(stored, '^(%d+) ([^\n]*)\n')
  if seq then found = found + redis.call('HSET', key('x'), step, seq) end
end
return found
