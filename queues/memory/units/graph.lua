-- Put after `memory`, in units on what was found of the people and things of one scope. `gi` has each item by its name, `<batch>/<n>`: its entity, and the
-- other one of a relation or `-`, 16 hex digits each, a space behind each, then JSON. `ge` counts the items of each entity. `gx` has by its end each item
-- that ends. `gf:<entity>` has the facts of one, by how sure and new they are, and `ga:<entity>` its relations, each with the other entity behind a
-- space. `gc` counts bytes. The partition's `graphs` has each scope by when its next item ends.
local mostFacts, mostEdges, mostInBatch, keptMs = 50, 200, 64, 10 * 365 * 86400000
local function ofEntity(kind, entity) return key(kind) .. ':' .. entity end
local function expectGraph()
  expect(key('gi'), 'hash')
  expect(key('ge'), 'hash')
  expect(key('gx'), 'zset')
  expect(key('gc'), 'hash')
  expect(P .. 'graphs', 'zset')
end
local function toParts(stored) return string.match(stored, '^(%x+) ([%x-]+) (.*)$') end
local function leave(kind, entity, member)
  redis.call('ZREM', ofEntity(kind, entity), member)
  if redis.call('HINCRBY', key('ge'), entity, -1) <= 0 then redis.call('HDEL', key('ge'), entity) end
end
local function takeItem(name)
  local stored = redis.call('HGET', key('gi'), name)
  if not stored then return nil end
  local entity, other, json = toParts(stored)
  redis.call('HDEL', key('gi'), name)
  redis.call('ZREM', key('gx'), name)
  if other == '-' then
    leave('gf', entity, name)
  else
    leave('ga', entity, name .. ' ' .. other)
    if other ~= entity then leave('ga', other, name .. ' ' .. entity) end
  end
  if redis.call('HINCRBY', key('gc'), 'bytes', -#stored) <= 0 then redis.call('DEL', key('gc')) end
  return json
end
-- JSON of one item of each batch that has none left, but for `own`: its pointers are to go, and it is not to come back without them.
local emptied = {}
local function evict(name, own)
  local json = takeItem(name)
  local batch, names = string.match(name, '^(.*)/%d+$'), {}
  if not json or batch == own then return end
  for n = 1, mostInBatch do names[n] = batch .. '/' .. (n - 1) end
  for _, left in ipairs(redis.call('HMGET', key('gi'), unpack(names))) do
    if left then return end
  end
  redis.call('ZADD', key('mg'), whole(now()), batch)
  emptied[#emptied + 1] = json
end
local function join(kind, entity, member, score)
  redis.call('ZADD', ofEntity(kind, entity), score, member)
  redis.call('HINCRBY', key('ge'), entity, 1)
end
-- The least sure and oldest one goes where there are too many.
local function trim(kind, entity, most, own)
  if redis.call('ZCARD', ofEntity(kind, entity)) <= most then return end
  for _, last in ipairs(redis.call('ZRANGE', ofEntity(kind, entity), 0, 0)) do evict(string.match(last, '^[^ ]+'), own) end
end
local function putItem(name, entity, other, score, ends, json)
  local stored, own = entity .. ' ' .. other .. ' ' .. json, string.match(name, '^(.*)/%d+$')
  redis.call('HSET', key('gi'), name, stored)
  redis.call('HINCRBY', key('gc'), 'bytes', #stored)
  redis.call('ZADD', key('gx'), ends, name)
  if other == '-' then
    join('gf', entity, name, score)
    return trim('gf', entity, mostFacts, own)
  end
  join('ga', entity, name .. ' ' .. other, score)
  if other ~= entity then join('ga', other, name .. ' ' .. entity, score) end
  trim('ga', entity, mostEdges, own)
  trim('ga', other, mostEdges, own)
end
local function noteEnd()
  local first = redis.call('ZRANGE', key('gx'), 0, 0, 'WITHSCORES')
  if first[2] then redis.call('ZADD', P .. 'graphs', first[2], conv) else redis.call('ZREM', P .. 'graphs', conv) end
end
local function takeBatch(batch)
  if redis.call('EXISTS', key('gi')) == 0 then return end
  for n = 0, mostInBatch - 1 do takeItem(batch .. '/' .. n) end
end
