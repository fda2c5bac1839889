-- One hash for all chats. find, chat... -> (home, its id now, why closed, since when in ms)... | move, from, to | close, chat, reason | open, chat
-- `was:<chat>` names the id a moved chat's conversation is kept under, `now:<chat>` where messages for it go, `open:<chat>` that the
-- platform told of it as one to write to.
-- Notes on chats are bounded: one that is not taken costs a refused send, or a line in a list.
local book, mostFields = KEYS[1], 100000
local function note(field, value)
  if redis.call('HLEN', book) < mostFields then redis.call('HSET', book, field, value) end
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
  if ARGV[3] ~= home then redis.call('HSET', book, 'was:' .. ARGV[3], home, 'now:' .. home, ARGV[3]) end
  redis.call('HDEL', book, 'closed:' .. home, 'since:' .. home)
elseif what == 'close' then
  -- Refused once more, it is closed for as long as before.
  local t = redis.call('HEXISTS', book, 'closed:' .. home) == 0 and redis.call('TIME')
  if t then note('since:' .. home, string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))) end
  note('closed:' .. home, ARGV[3])
  redis.call('HDEL', book, 'open:' .. home)
else
  note('open:' .. home, 1)
  redis.call('HDEL', book, 'closed:' .. home, 'since:' .. home)
end
return 1
