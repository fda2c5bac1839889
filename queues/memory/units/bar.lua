-- scope, via, id... -> OK: what has these ids and is not there is never to be written | MOVED, as in `memory.lua`
expectMemory()
local moved = elsewhere()
if moved then return moved end
local at = now()
for i = 3, #ARGV do
  if redis.call('HEXISTS', key('mi'), '@' .. ARGV[i]) == 0 then redis.call('ZADD', key('mg'), whole(at), ARGV[i]) end
end
trimGone(at)
return 'OK'
