-- '', question, actor, chat, choice, event -> WON, question json, conversation | ALREADY, by, choice | FORBIDDEN | UNKNOWN
local _, id, actor, chat, choice, event = unpack(ARGV)
local q = P .. 'q:' .. id
expect(q, 'hash')
local json, home, state, by, chosen = unpack(redis.call('HMGET', q, 'j', 'c', 's', 'by', 'choice'))
if not json then return { 'UNKNOWN' } end
local question = cjson.decode(json)
local offered = false
for _, option in ipairs(question.options) do offered = offered or option == choice end
if not offered then return { 'UNKNOWN' } end
conv = home
if home ~= chat and string.sub(home, 1, #chat + 1) ~= chat .. ':' then return { 'FORBIDDEN' } end
if question.owner ~= '*' and question.owner ~= actor then return { 'FORBIDDEN' } end
if state == 'answered' then return { 'ALREADY', by, chosen } end
expect(key('c'), 'hash')
expect(key('in'), 'hash')
redis.call('HSET', q, 's', 'answered', 'by', actor, 'choice', choice)
-- The answer carries what the question kept for it, so that whoever applies it need not read the question.
local answer = cjson.decode(event)
answer.payload = question.payload
enqueue(cjson.encode(answer), now())
return { 'WON', json, home }
