-- scope, name of an item, JSON as it was read, JSON as it is to be -> 1, or 0 where it is another one by now. It does not end any more.
local name = ARGV[2]
expectGraph()
local entity, other, json = toParts(redis.call('HGET', key('gi'), name) or '')
if not entity or json ~= ARGV[3] then return 0 end
redis.call('HSET', key('gi'), name, entity .. ' ' .. other .. ' ' .. ARGV[4])
redis.call('HINCRBY', key('gc'), 'bytes', #ARGV[4] - #json)
redis.call('ZREM', key('gx'), name)
noteEnd()
-- It stands before all that nobody confirmed.
local function raise(kind, from, member)
  local score = redis.call('ZSCORE', ofEntity(kind, from), member)
  if score and tonumber(score) < now() + keptMs / 2 then
    redis.call('ZADD', ofEntity(kind, from), whole(tonumber(score) + keptMs), member)
  end
end
if other == '-' then
  raise('gf', entity, name)
else
  raise('ga', entity, name .. ' ' .. other)
  if other ~= entity then raise('ga', other, name .. ' ' .. entity) end
end
return 1
