-- conversation, sender..., op, row, row of the turn's end, body, expires in, question?, json?, rest? -> as begin | SHOWN, receipt
local id, ending, body, expires = ARGV[11], ARGV[12], ARGV[13], tonumber(ARGV[14])
check('obq', 'ol', 'done', 'c')
if redis.call('GET', key('ol')) ~= owner then return { 'HELD' } end
if parked() then
  redis.call('DEL', key('ol'))
  return { 'EMPTY' }
end
redis.call('SET', key('ol'), owner, 'PX', ttl)
if not isAnswerFrom(0) then
  local state, receipt = fate(id)
  local editor = state and redis.call('HGET', key('c'), 'editor')
  if state then redis.call('HSET', key('c'), 'editor', editor and editor ~= owner and 'lost' or owner) end
  if state then return { 'SHOWN', state == 'sent' and receipt or '' } end
  -- A draft outlives its turn when it is saved late; its end does not.
  if redis.call('EXISTS', key('draft')) == 1 and not fate(ending) then
    redis.call('HSET', row(id), 'b', body, 's', 'queued', 'n', 0, 'x', whole(at + expires), 'came', whole(at))
    redis.call('RPUSH', key('obq'), id)
    if ARGV[15] then raise(ARGV[15], ARGV[16], ARGV[17], at) end
    wake('out', at)
  end
end
return nextRow()
