-- conversation, message... -> all?, (question, the message that shows it or '', its receipt or '', the last event before it was asked, since when, record,
-- labels)...
-- The questions that these messages show, and all that are asked here where they are few. What is gone with its time is taken off the list.
local mostListed = 20
local cards, met, flat = key('cards'), {}, { 0 }
local function add(card, id)
  if met[id] then return end
  met[id] = true
  local q = P .. 'q:' .. id
  expect(q, 'hash')
  local state, home, json, labels, after, asked, receipt =
    unpack(redis.call('HMGET', q, 's', 'c', 'j', 'labels', 'after', 'askedAt', 'receipt'))
  if state ~= 'asked' or home ~= conv then
    redis.call('HDEL', cards, card)
    return
  end
  local message = card == '.' .. id and '' or card
  for _, value in ipairs({ id, message, receipt or '', after, asked, json, labels }) do flat[#flat + 1] = value end
end
for i = 2, #ARGV do
  local id = redis.call('HGET', cards, ARGV[i])
  if id then add(ARGV[i], id) end
end
local count = redis.call('HLEN', cards)
if count > mostListed then
  local some = redis.call('HRANDFIELD', cards, mostListed, 'WITHVALUES')
  for i = 1, #some, 2 do
    local state, home = unpack(redis.call('HMGET', P .. 'q:' .. some[i + 1], 's', 'c'))
    if state ~= 'asked' or home ~= conv then redis.call('HDEL', cards, some[i]) end
  end
else
  flat[1] = 1
  local all = redis.call('HGETALL', cards)
  for i = 1, #all, 2 do add(all[i], all[i + 1]) end
end
return flat
