-- '', grace -> what:conversation, since ms, epoch, ...
local at = now()
local flat, offset = {}, 0
while #flat < 300 and offset < 1000 do
  local page = redis.call('ZRANGEBYSCORE', P .. 'wake', '-inf', at - tonumber(ARGV[2]), 'WITHSCORES', 'LIMIT', offset, 100)
  if #page == 0 then break end
  offset = offset + 100
  for i = 1, #page, 2 do
    local what, name = string.match(page[i], '^(%a+):(.+)$')
    conv = name
    local lease = what == 'run' and key('lease') or what == 'out' and key('ol') or nil
    if not lease or redis.call('EXISTS', lease) == 0 then
      flat[#flat + 1] = page[i]
      flat[#flat + 1] = at - tonumber(page[i + 1])
      -- A conversation whose run is broken must not hide the partition's others.
      local epoch = redis.pcall('HGET', key('r'), 'epoch')
      flat[#flat + 1] = type(epoch) == 'string' and epoch or 0
    end
  end
end
return flat
