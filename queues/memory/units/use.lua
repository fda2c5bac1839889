-- scope, via, when, number... -> OK | MOVED, as in `memory.lua`: they were given to a turn then. The scope is no other one by that: nobody has to read it again.
expectMemory()
local moved = elsewhere()
if moved then return moved end
for i = 4, #ARGV do
  local json = redis.call('HGET', key('mr'), ARGV[i])
  local last = json and string.match(json, ',"lastUsedAt":(%d+)')
  -- The same turn, read again, counts once.
  if json and last ~= ARGV[3] then
    json = string.gsub(json, ',"uses":(%d+)', function(uses) return ',"uses":' .. whole(uses + 1) end, 1)
    json = string.gsub(json, ',"lastUsedAt":%d+', '', 1)
    local newest = whole(math.max(tonumber(last or '0'), tonumber(ARGV[3])))
    redis.call('HSET', key('mr'), ARGV[i], string.sub(json, 1, -2) .. ',"lastUsedAt":' .. newest .. '}')
  end
end
return 'OK'
