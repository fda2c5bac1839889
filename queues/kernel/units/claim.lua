-- conversation, owner, ttl, (who held it and is gone)? -> HELD, by whom | GONE | CLAIMED, epoch, snapshot, attempts, routed, stops, tail, pending, time in ms, congested, (part, text)..., rest?, journal seq
local _, owner, ttl, gone = unpack(ARGV)
if isTask(conv) and not atHome(hasTask, conv) then return { 'GONE' } end
if parked() then return { 'PARKED', parked() } end
-- What the turn will write is looked at before a model is paid for it.
check('j', 'x', 'aside')
atHome(check, 'obq', 'out')
local holder = redis.call('GET', key('lease'))
if holder and holder ~= owner and holder ~= gone then return { 'HELD', holder } end
local r, c = key('r'), key('c')
local stored, own, parts = redis.call('HGETALL', r), {}, {}
for i = 1, #stored, 2 do
  local name, value = stored[i], stored[i + 1]
  if ownFields[name] then own[name] = value else parts[#parts + 1], parts[#parts + 2] = name, value end
end
local function known(name) return toNumber(own[name], r, name) end
local snapSeq, jseq, lastEpoch, lastHead = known('snapSeq'), known('jseq'), known('epoch'), known('aHead')
local routed, cursor, _, above = counters()
local tail = jseq > snapSeq and redis.call('LRANGE', key('j'), snapSeq - jseq, -1) or {}
local flat = {}
for i, stored in ipairs(tail) do
  local seq, entry = string.match(stored, '^(%d+) [^\n]*\n(.*)$')
  if tonumber(seq) ~= snapSeq + i then error({ err = 'CORRUPT ' .. key('j') .. ' has a gap at ' .. (snapSeq + i) }) end
  flat[2 * i - 1], flat[2 * i] = snapSeq + i, entry
end
if snapSeq + #tail ~= jseq then error({ err = 'CORRUPT ' .. key('j') .. ' ends at ' .. (snapSeq + #tail) .. ', not ' .. jseq }) end
if #tail > 0 and redis.call('EXISTS', key('x')) == 0 then error({ err = 'CORRUPT ' .. key('x') .. ' is missing' }) end
local pending = waiting(cursor, routed, 200, above)
local stopped = stops()
local at = now()
local epoch = math.max(lastEpoch + 1, at)
redis.call('SET', key('lease'), owner, 'PX', ttl)
local head = pending[1] or 0
local starts = lastHead == head and split(own.starts) or {}
if own.excused and lastHead ~= head then redis.call('HDEL', r, 'excused') end
-- The holder asking again is one start whose reply was lost, not a crash.
if holder == owner and starts[#starts] == lastEpoch then starts[#starts] = nil end
starts[#starts + 1] = string.format('%.0f', epoch)
redis.call('HSET', r, 'epoch', string.format('%.0f', epoch), 'aHead', head, 'starts', table.concat(starts, ','), 'held', 1)
if lastEpoch == 0 then
  touch(at)
  -- Of one that was only overheard the counters were about to go.
  redis.call('PERSIST', c)
end
if #pending == 0 then rest('run') else taken('run') end
return { 'CLAIMED', epoch, own.snap or '', #starts, routed, stopped, flat, pending, at, atHome(congested), parts, own.rest or false, jseq }
