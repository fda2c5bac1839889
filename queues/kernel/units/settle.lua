-- conversation, sender..., op, row, outcome, reason, receipt, retry after, part bodies... -> as begin
local id, outcome, reason, receipt, retryMs = ARGV[10], ARGV[11], ARGV[12], ARGV[13], tonumber(ARGV[14])
check('obq', 'ol', 'done')
expect(row(id), 'hash')
local state, by, begunOp, began, maybe = unpack(redis.call('HMGET', row(id), 's', 'ow', 'op', 't', 'm'))
maybe = outcome == 'unknown' and (maybe or began or '0')
-- A row begun by this very call was settled by it before: the reply was lost. That it was sent, anyone who knows may say;
-- other ends only the sender at it, for a second sender may be at it by now.
if state == 'sending' and begunOp ~= op and (outcome == 'sent' or by == owner) then
  if outcome == 'split' then
    local expires = redis.call('HGET', row(id), 'x')
    for i = #ARGV, 15, -1 do
      local part = id .. '.' .. (i - 14)
      redis.call('HSET', row(part), 'b', ARGV[i], 's', 'queued', 'n', 0, 'x', expires)
      redis.call('LINSERT', key('obq'), 'AFTER', id, part)
    end
    finish(id, 'split', '', id .. '.' .. (#ARGV - 14))
  elseif outcome ~= 'retry' and outcome ~= 'later' and not (maybe and at - maybe < dedupedMs) then
    finish(id, outcome, reason, receipt)
  else
    redis.call('HSET', row(id), 's', 'queued', 'nb', string.format('%.0f', at + retryMs), 'why', reason)
    if maybe then redis.call('HSET', row(id), 'm', maybe) end
    if outcome == 'later' then redis.call('HINCRBY', row(id), 'n', -1) end
    -- Without `about` a notice keeps its distance too, though rows wait behind it.
    redis.call('HDEL', row(id), 'about')
  end
elseif state == 'unknown' and outcome == 'sent' then
  redis.call('HSET', row(id), 's', 'sent', 'rc', receipt)
  local notice = redis.call('HGET', row(id), 'notice')
  if notice and redis.call('HGET', row(notice), 's') == 'queued' then
    redis.call('LREM', key('obq'), 1, notice)
    redis.call('DEL', row(notice))
  end
end
local holder = redis.call('GET', key('ol'))
if holder and holder ~= owner then return { 'HELD' } end
if parked() then return leave({ 'EMPTY' }) end
redis.call('SET', key('ol'), owner, 'PX', ttl)
return nextRow()
