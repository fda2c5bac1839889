-- conversation, sender..., op, (who held it and is gone)? -> ROW, id, body, attempts, replaced receipt, whether its edits may come late, when it came | EMPTY, draft, receipt of its plan | WAIT, ms | HELD, by whom
check('obq', 'ol', 'done', 'c')
local holder = redis.call('GET', key('ol'))
if parked() then
  if holder == owner then redis.call('DEL', key('ol')) end
  return { 'EMPTY' }
end
if holder and holder ~= owner and holder ~= ARGV[11] then return { 'HELD', holder } end
redis.call('SET', key('ol'), owner, 'PX', ttl)
taken('out')
return nextRow(holder and holder ~= owner and holder)
