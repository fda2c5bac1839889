-- `-`, most -> how many items of the partition's scopes went since they had ended, so many at most, (scope, JSON)...: an item of each batch that nothing is left of
expect(P .. 'graphs', 'zset')
local at, most, gone, told = now(), tonumber(ARGV[2]), 0, {}
for _, scope in ipairs(redis.call('ZRANGEBYSCORE', P .. 'graphs', '-inf', whole(at), 'LIMIT', 0, 20)) do
  conv = scope
  expectMemory()
  expectGraph()
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', key('gx'), '-inf', whole(at), 'LIMIT', 0, most - gone)) do
    evict(name)
    gone = gone + 1
  end
  noteEnd()
  trimGone(at)
  for n = #told / 2 + 1, #emptied do
    told[#told + 1] = scope
    told[#told + 1] = emptied[n]
  end
  if gone >= most then break end
end
return { gone, unpack(told) }
