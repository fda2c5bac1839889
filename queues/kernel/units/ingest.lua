-- conversation, dedupe key, event, stop scope, principal, echo, how long ago it was taken or empty -> NEW, seq, wakes? | DUP, seq | FULL
local _, id, event, stop, principal, echo, agoMs = unpack(ARGV)
if stop ~= 'none' then expect(key('stop'), 'hash') end
if echo == '1' then expect(key('out'), 'list') end
local at = now()
local known = seen(id)
if known or isFromBefore(agoMs, at) then return { 'DUP', known or 0 } end

-- A stop is for all of its sender's that came before it.
local function stopAt(seq)
  if stop == 'none' then return end
  redis.call('HSET', key('stop'), stop == 'all' and '*' or principal, seq)
  signal()
end
if isFull(20000, 32 * 1024 * 1024) then
  -- A stop still acts, though it leaves no event: between the last one and the next.
  stopAt(numbers(key('c'), 'seq') + 0.5)
  return { 'FULL' }
end
local seq, wakes = enqueue(event, at)
remember(id, seq, at)
stopAt(seq)
if echo == '1' then
  show('e', event, at)
  redis.call('PUBLISH', 'fl:live:' .. conv, 'out')
end
return { 'NEW', seq, wakes and 1 or 0 }
