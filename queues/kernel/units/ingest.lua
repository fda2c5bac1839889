-- conversation, dedupe key, event, stop scope, principal, echo -> NEW|DUP, seq | FULL
local _, id, event, stop, principal, echo = unpack(ARGV)
local keepSeconds, mostWaiting, mostBytes = 48 * 3600, 20000, 32 * 1024 * 1024
-- A score packs the second and the seq, so that a duplicate is told the seq of the first; 2^24 events a conversation until it wraps.
local epochSecond, seqSpan = 1700000000, 16777216
check('in')
if stop ~= 'none' then expect(key('stop'), 'hash') end
if echo == '1' then expect(key('out'), 'list') end
local at = now()
local second = math.floor(at / 1000) - epochSecond
local known = redis.call('ZSCORE', key('dd'), id)
if known then return { 'DUP', tonumber(known) % seqSpan } end
local count = redis.call('HLEN', key('in'))
-- Sampled, and not for the few that wait as a rule.
local bytes = count >= 64 and count < mostWaiting and redis.pcall('MEMORY', 'USAGE', key('in'), 'SAMPLES', 20) or 0
local isFull = count >= mostWaiting or (type(bytes) == 'number' and bytes >= mostBytes)

-- A stop is for all of its sender's that came before it.
local function stopAt(seq)
  if stop == 'none' then return end
  redis.call('HSET', key('stop'), stop == 'all' and '*' or principal, seq)
  signal()
end
if isFull then
  -- A stop still acts, though it leaves no event: between the last one and the next.
  stopAt(numbers(key('c'), 'seq') + 0.5)
  return { 'FULL' }
end
local seq = enqueue(event, at)
redis.call('ZADD', key('dd'), string.format('%.0f', second * seqSpan + seq % seqSpan), id)
redis.call('ZREMRANGEBYSCORE', key('dd'), '-inf', string.format('%.0f', (second - keepSeconds) * seqSpan))
redis.call('EXPIRE', key('dd'), keepSeconds)
stopAt(seq)
if echo == '1' then
  show('e', event, at)
  redis.call('PUBLISH', 'fl:live:' .. conv, 'out')
end
return { 'NEW', seq }
