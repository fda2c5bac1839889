-- conversation, owner -> OK: gives back whatever lease this owner may still have here. Of a key of another type nothing is anybody's.
for _, kind in ipairs({ 'lease', 'ol' }) do
  if redis.pcall('GET', key(kind)) == ARGV[2] then redis.call('DEL', key(kind)) end
end
return { 'OK' }
