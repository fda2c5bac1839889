-- conversation, id, limit, 'after' or 'before' that id (0: the end) -> how many items there were ever, id, 'e'|'b', its time in ms and JSON, ...
check('c', 'out')
local total, length = numbers(key('c'), 'out'), redis.call('LLEN', key('out'))
local position, limit, gone = tonumber(ARGV[2]), tonumber(ARGV[3]), total - length
local first = math.max(position, gone) + 1
local last = first + limit - 1
if ARGV[4] == 'before' then
  last = (position > 0 and math.min(position, total + 1) or total + 1) - 1
  first = math.max(last - limit, gone) + 1
end
-- A negative index would count from the other end.
local items = last < first and {} or redis.call('LRANGE', key('out'), first - 1 - gone, last - 1 - gone)
local flat = { total }
for i, item in ipairs(items) do
  flat[#flat + 1] = first + i - 1
  flat[#flat + 1] = item
end
return flat
