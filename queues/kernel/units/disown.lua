-- conversation, owner -> OK: gives back whatever lease this owner may still have here
for _, kind in ipairs({ 'lease', 'ol' }) do
  if redis.call('GET', key(kind)) == ARGV[2] then redis.call('DEL', key(kind)) end
end
return { 'OK' }
