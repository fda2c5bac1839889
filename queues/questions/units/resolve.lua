-- '', question, actor, chat, choice, event, event id, as administrator?
-- -> WON, question json, conversation | ALREADY, by, choice | FORBIDDEN | UNKNOWN | CORRUPT, conversation, reason
local _, id, actor, chat, choice, event, eventId, asAdmin = unpack(ARGV)
local q = P .. 'q:' .. id
expect(q, 'hash')
local json, home, state, by, chosen, wonBy = unpack(redis.call('HMGET', q, 'j', 'c', 's', 'by', 'choice', 'ev'))
if not json or not home then return { 'UNKNOWN' } end
local readable, question = pcall(cjson.decode, json)
if not readable or type(question) ~= 'table' or question.v ~= 1 or type(question.options) ~= 'table' then
  return { 'CORRUPT', home, 'CORRUPT ' .. q .. ' is not a question of version 1' }
end
local known = false
for _, option in ipairs(question.options) do known = known or option == choice end
if not known then return { 'UNKNOWN' } end
conv = home
if home ~= chat and string.sub(home, 1, #chat + 1) ~= chat .. ':' then return { 'FORBIDDEN' } end
local allowed = question.owner == '*' or question.owner == actor or (question.admins and asAdmin == '1')
if not allowed then return { 'FORBIDDEN' } end
-- The winner's own press again (a lost reply, a redelivered update) is told the same.
if state == 'answered' then return wonBy == eventId and { 'WON', json, home } or { 'ALREADY', by, chosen } end
-- An older release named a stop by its kind.
if question.kind == 'stop' then question.acts, question['until'] = 'stop', question.payload end
-- A turn that has ended has nothing left to stop; the press must not end what its owner asked since.
if question['until'] and fate(question['until']) then return { 'UNKNOWN' } end
check('c', 'in', 'stop')
redis.call('HSET', q, 's', 'answered', 'by', actor, 'choice', choice, 'ev', eventId)
-- The answer carries what the question kept for it, so that whoever applies it need not read the question.
local answer = cjson.decode(event)
answer.payload, answer.about, answer.card, answer.messages = question.payload, question.kind, question.card, question.about
local seq = enqueue(cjson.encode(answer), now())
-- A stop acts from here, past every queue, as a literal one does from ingest.
if question.acts == 'stop' then
  redis.call('HSET', key('stop'), question.owner, seq)
  signal()
end
return { 'WON', json, home }
