-- conversation, message id, the event of its deletion, (position `<ms>-<id>`)... -> how many items were blanked
check('c', 'out', 'aside', 'asked', 'r', 'file')
local out, c, message, event = key('out'), key('c'), ARGV[2], ARGV[3]
local gone = numbers(c, 'out') - redis.call('LLEN', out)
local blanked = 0
for i = 4, #ARGV do
  local ms, id = string.match(ARGV[i], '^(%d+)-(%d+)$')
  local index = tonumber(id) - 1 - gone
  local item = index >= 0 and redis.call('LINDEX', out, index)
  -- After a deletion another item may have the number by now: the time tells.
  if item and string.match(item, '^%a(%d+)') == ms then
    local blank = 'e' .. ms .. event
    redis.call('LSET', out, index, blank)
    -- Of items that an older release kept the bytes are not counted yet.
    if redis.call('HEXISTS', c, 'outBytes') == 1 then redis.call('HINCRBY', c, 'outBytes', #blank - #item) end
    for question in string.gmatch(item, '"id":"(p%d%d%-%w+)%.') do
      local name = P .. 'q:' .. question
      if redis.call('HGET', name, 'c') == conv then redis.call('DEL', name) end
    end
    blanked = blanked + 1
  end
end
-- A quote inside a JSON string is escaped, so this can only be the message itself, or one that replies to it and may quote it.
local aside = redis.call('HGETALL', key('aside'))
for i = 1, #aside, 2 do
  if string.find(aside[i + 1], '"messageId":"' .. message .. '"', 1, true) then redis.call('HDEL', key('aside'), aside[i]) end
end
-- Of open questions those on a topic are known: what they keep for an answer may be the message's own words.
local asked = redis.call('HGETALL', key('asked'))
for i = 1, #asked, 2 do
  local about = string.match(redis.call('HGET', P .. 'q:' .. asked[i + 1], 'j') or '', '"about":(%b[])') or ''
  if string.find(about, '"' .. message .. '"', 1, true) then
    redis.call('DEL', P .. 'q:' .. asked[i + 1])
    redis.call('HDEL', key('asked'), asked[i])
  end
end
-- The last reply may repeat it, and so may a file that was made of the conversation.
redis.call('HDEL', key('r'), 'reply')
redis.call('DEL', key('file'))
if blanked > 0 then
  show('e', event, now())
  redis.call('PUBLISH', 'fl:live:' .. conv, 'out')
end
return { blanked }
