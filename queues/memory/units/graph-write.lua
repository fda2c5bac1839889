-- scope, batch, most items, most entities, most bytes, (entity, other or -, score, when it ends, JSON)... -> GONE | how many were written, (JSON)...
-- JSON: an item of each batch that nothing is left of.
-- What the batch wrote before goes. What ends first makes room, and what has ended is not written.
local batch, mostItems, mostEntities, mostBytes = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
expectMemory()
expectGraph()
for i = 6, #ARGV, 5 do
  for _, entity in ipairs({ ARGV[i], ARGV[i + 1] }) do
    expect(ofEntity('gf', entity), 'zset')
    expect(ofEntity('ga', entity), 'zset')
  end
end
if redis.call('ZSCORE', key('mg'), batch) then return { 'GONE' } end
takeBatch(batch)
local at, written, lifeMs = now(), 0, 30 * 86400000
local function isFull(bytes)
  return redis.call('HLEN', key('gi')) >= mostItems
    or redis.call('HLEN', key('ge')) > mostEntities - 2
    or toNumber(redis.call('HGET', key('gc'), 'bytes'), key('gc'), 'bytes') + bytes > mostBytes
end
for i = 6, #ARGV, 5 do
  local entity, other, score, ends, json = unpack(ARGV, i, i + 4)
  -- Whoever said it in a time to come has a clock that is wrong.
  ends = whole(math.min(tonumber(ends), at + lifeMs))
  local isKept = tonumber(ends) > at
  while isKept and isFull(#json + 40) do
    local first = redis.call('ZRANGE', key('gx'), 0, 0)[1]
    isKept = first
    if first then evict(first, batch) end
  end
  if isKept then
    putItem(batch .. '/' .. math.floor((i - 6) / 5), entity, other, score, ends, json)
    written = written + 1
  end
end
noteEnd()
trimGone(at)
return { written, unpack(emptied) }
