-- conversation, reason ('' puts it back) -> 1
check()
if ARGV[2] ~= '' then
  redis.call('HSET', P .. 'parked', conv, ARGV[2])
  for _, what in ipairs({ 'route', 'run', 'out' }) do rest(what) end
  return 1
end
redis.call('HDEL', P .. 'parked', conv)
for _, what in ipairs({ 'route', 'run', 'out' }) do wake(what, now()) end
return 1
