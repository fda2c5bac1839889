-- One hash for all chats. find, chat... -> (home, its id now, why closed, since when in ms)... | move, from, to | close, chat, reason | open, chat
--   -> 1 where the book has changed, else 0
-- `was:<chat>` names the id a moved chat's conversation is kept under, `now:<chat>` where messages for it go, `open:<chat>` that the
-- platform told of it as one to write to. `version` is another one after each change, for who keeps a copy.
-- Notes on chats are bounded: one that is not taken costs a refused send, or a line in a list.
local book, mostFields, changed = KEYS[1], 100000, false
local function note(field, value)
  if redis.call('HGET', book, field) == value or redis.call('HLEN', book) >= mostFields then return end
  redis.call('HSET', book, field, value)
  changed = true
end
local function remove(...)
  if redis.call('HDEL', book, ...) > 0 then changed = true end
end
local what = ARGV[1]
local function homeOf(chat) return redis.call('HGET', book, 'was:' .. chat) or chat end

if what == 'find' then
  local flat = {}
  for i = 2, #ARGV do
    local home = homeOf(ARGV[i])
    flat[#flat + 1] = home
    flat[#flat + 1] = redis.call('HGET', book, 'now:' .. home) or home
    flat[#flat + 1] = redis.call('HGET', book, 'closed:' .. home) or ''
    flat[#flat + 1] = redis.call('HGET', book, 'since:' .. home) or ''
  end
  return flat
end
local home = homeOf(ARGV[2])
if what == 'move' then
  if ARGV[3] ~= home then
    changed = redis.call('HGET', book, 'now:' .. home) ~= ARGV[3]
    redis.call('HSET', book, 'was:' .. ARGV[3], home, 'now:' .. home, ARGV[3])
  end
  remove('closed:' .. home, 'since:' .. home)
elseif what == 'close' then
  -- Refused once more, it is closed for as long as before.
  local t = redis.call('HEXISTS', book, 'closed:' .. home) == 0 and redis.call('TIME')
  if t then note('since:' .. home, string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))) end
  note('closed:' .. home, ARGV[3])
  remove('open:' .. home)
else
  note('open:' .. home, '1')
  remove('closed:' .. home, 'since:' .. home)
end
if changed then
  local t = redis.call('TIME')
  redis.call('HSET', book, 'version', t[1] .. '.' .. t[2])
end
return changed and 1 or 0
