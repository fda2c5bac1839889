-- conversation, after, limit -> how many items there were ever, id, 'e'|'b', its time in ms and JSON, ...
check('c', 'out')
local total, length = numbers(key('c'), 'out'), redis.call('LLEN', key('out'))
local first = math.max(tonumber(ARGV[2]) + 1, total - length + 1)
local items = redis.call('LRANGE', key('out'), first - 1 - (total - length), first - 2 - (total - length) + tonumber(ARGV[3]))
local flat = { total }
for i, item in ipairs(items) do
  flat[#flat + 1] = first + i - 1
  flat[#flat + 1] = item
end
return flat
