-- Put after the prelude: which events of a mailbox are done with, and which wait.

-- Seqs consumed above the cursor, as ascending ranges: `7-9,12`. Of many only the last one is read where
-- nothing from `lowest` on lies before it; the text of the others comes second.
local function ranges(text, lowest)
  text = text or ''
  local last = string.match(string.sub(text, -40), '[%d-]*$')
  if (tonumber(string.match(last, '^%d+')) or 0) > lowest then last = text end
  local list = {}
  for first, upTo in string.gmatch(last, '(%d+)%-?(%d*)') do
    list[#list + 1] = { tonumber(first), tonumber(upTo) or tonumber(first) }
  end
  return list, string.sub(text, 1, -#last - 1)
end

local function isWithin(list, seq)
  for _, range in ipairs(list) do
    if range[1] <= seq and seq <= range[2] then return true end
  end
  return false
end

local function joined(list)
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local result = {}
  for _, range in ipairs(list) do
    local before = result[#result]
    if before and range[1] <= before[2] + 1 then
      before[2] = math.max(before[2], range[2])
    else
      result[#result + 1] = range
    end
  end
  return result
end

-- A stop holds for events before it: once those are done with, it says nothing any more. `all` are the stops, where they were read.
local function dropStops(cursor, all)
  all = all or stops()
  for i = 1, #all, 2 do
    if tonumber(all[i + 1]) <= cursor then redis.call('HDEL', key('stop'), all[i]) end
  end
end

-- Marks events as done with and moves the cursor over the dense part. `c` holds cursor and what is consumed above it.
-- An event may be consumed before it is routed (a stop, while the router is away): it stays in the mailbox, and the cursor before it,
-- until it is routed. `above` is what `consumed` says.
local function consume(seqs, routed, cursor, above, stopped)
  local c = key('c')
  local gone, lowest = {}, math.huge
  for _, seq in ipairs(seqs) do
    lowest = math.min(lowest, seq)
    if seq > cursor and seq <= routed then gone[#gone + 1] = seq end
  end
  local list, before = ranges(above, lowest)
  for _, seq in ipairs(seqs) do
    if seq > cursor then list[#list + 1] = { seq, seq } end
  end
  remove(key('in'), gone)
  remove(key('dec'), gone)
  local left = {}
  for _, range in ipairs(joined(list)) do
    if range[1] == cursor + 1 then
      cursor = math.max(cursor, math.min(range[2], routed))
      range[1] = cursor + 1
    end
    if range[1] <= range[2] then left[#left + 1] = range[1] == range[2] and range[1] or range[1] .. '-' .. range[2] end
  end
  redis.call('HSET', c, 'cursor', cursor)
  if #left > 0 then
    redis.call('HSET', c, 'consumed', before .. table.concat(left, ','))
  elseif above then
    redis.call('HDEL', c, 'consumed')
  end
  if cursor >= routed then
    rest('run')
    dropStops(cursor, stopped)
  end
  return cursor
end

-- Routed, unconsumed events above `after` as seq, event, decision, ...; a hole in the mailbox is corruption. `above` is what `consumed` says.
local function waiting(after, routed, limit, above)
  local wanted, seq = {}, after + 1
  local function takeUpTo(last)
    for this = seq, math.min(last, routed, seq + limit - #wanted - 1) do wanted[#wanted + 1] = this end
  end
  for first, last in string.gmatch(above or '', '(%d+)%-?(%d*)') do
    takeUpTo(first - 1)
    if #wanted == limit then break end
    seq = math.max(seq, (tonumber(last) or tonumber(first)) + 1)
  end
  takeUpTo(routed)
  if #wanted == 0 then return {} end
  local events = redis.call('HMGET', key('in'), unpack(wanted))
  local decisions = redis.call('HMGET', key('dec'), unpack(wanted))
  local flat = {}
  for i, seq in ipairs(wanted) do
    if not events[i] then error({ err = 'CORRUPT ' .. key('in') .. ' has no event ' .. seq }) end
    if not decisions[i] then error({ err = 'CORRUPT ' .. key('dec') .. ' has no decision ' .. seq }) end
    flat[3 * i - 2], flat[3 * i - 1], flat[3 * i] = seq, events[i], decisions[i]
  end
  return flat
end
