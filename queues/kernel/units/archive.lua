-- '', idle ms, most -> how many conversations were looked at
-- Puts away conversations in which nothing happened for so long: journal, index, dedupe ids, receipts and artifacts go, and of the run only what
-- was set in it stays. One with work, a turn under way, a timer or events set aside is left alone; a question without a timer is gone by then.
-- What web and console show stays, and its count with it. One with records is looked at again when they are gone.
local at = now()

-- The counters of a conversation that may go. All that can be broken is read here, before anything goes: a script that fails half way
-- keeps what it wrote.
local function findCounters()
  if redis.call('HGET', P .. 'parked', conv) then return end
  for _, what in ipairs({ 'route', 'run', 'out' }) do
    if redis.call('ZSCORE', P .. 'wake', what .. ':' .. conv) then return end
  end
  if redis.call('EXISTS', key('in'), key('obq'), key('aside'), key('lease'), key('ol'), key('t'), key('tasks')) > 0 then return end
  for kind, wanted in pairs(kinds) do expect(key(kind), wanted) end
  local jseq, snapSeq = numbers(key('r'), 'jseq', 'snapSeq')
  if jseq ~= snapSeq then return end
  local seq, items, bytes = numbers(key('c'), 'seq', 'out', 'outBytes')
  return { seq = seq, routed = seq, cursor = seq, out = items, outBytes = bytes }
end

local function putAway(counters)
  local r, c = key('r'), key('c')
  local remains = redis.call('HGET', r, 'rest')
  redis.call('DEL', key('x'), key('j'), key('dd'), key('done'), key('stop'), key('dec'), key('draft'), key('cards'), key('ah'), key('at'))
  redis.call('DEL', r)
  if remains and remains ~= '' then redis.call('HSET', r, 'snap', remains, 'rest', remains) end
  -- Written anew, a small hash takes a fraction of one that was large.
  redis.call('DEL', c)
  if redis.call('EXISTS', key('out')) == 0 then return end
  for field, count in pairs(counters) do
    redis.call('HSET', c, field, string.format('%.0f', count))
  end
end

local found = redis.call('ZRANGEBYSCORE', P .. 'idle', '-inf', string.format('%.0f', at - tonumber(ARGV[2])), 'LIMIT', 0, ARGV[3])
for _, name in ipairs(found) do
  conv = name
  -- What cannot be read is for the worker that meets it to park.
  local readable, counters = pcall(findCounters)
  if readable and counters then
    putAway(counters)
    local records = lookAtRecords()
    if records == 'none' then redis.call('ZREM', P .. 'idle', conv) end
    if records == 'kept' then touch(at) end
  else
    touch(at)
  end
end
return #found
