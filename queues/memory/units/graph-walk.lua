-- scope, hops, most entities a hop, most items, entity... -> (hop, JSON)...: facts of the entities that are reached, and relations on the way
local hops, fanOut, most = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local mostFactsFar, at = 10, now()
local seen, taken, found, front = {}, {}, {}, {}
for from = 5, #ARGV, 1000 do
  local upTo = math.min(from + 999, #ARGV)
  for i, count in ipairs(redis.call('HMGET', key('ge'), unpack(ARGV, from, upTo))) do
    local entity = ARGV[from + i - 1]
    if count and not seen[entity] and #front < fanOut then
      seen[entity] = true
      front[#front + 1] = entity
    end
  end
end
local function take(hop, name)
  if taken[name] or #found >= 2 * most then return end
  taken[name] = true
  local stored, ends = redis.call('HGET', key('gi'), name), redis.call('ZSCORE', key('gx'), name)
  if not stored or ends and tonumber(ends) <= at then return end
  local _, _, json = toParts(stored)
  found[#found + 1] = hop
  found[#found + 1] = json
end
for hop = 0, hops do
  local nextOnes = {}
  for _, entity in ipairs(front) do
    local mostHere = hop == 0 and fanOut or mostFactsFar
    for _, name in ipairs(redis.call('ZREVRANGE', ofEntity('gf', entity), 0, mostHere - 1)) do take(hop, name) end
    if hop < hops then
      for _, member in ipairs(redis.call('ZREVRANGE', ofEntity('ga', entity), 0, fanOut - 1)) do
        local name, other = string.match(member, '^([^ ]+) (.*)$')
        take(hop, name)
        if not seen[other] and #nextOnes < fanOut then
          seen[other] = true
          nextOnes[#nextOnes + 1] = other
        end
      end
    end
  end
  front = nextOnes
end
return found
