-- '', question, actor, chat, choice, event, event id, as administrator?
-- -> WON, question json, rest, conversation | ALREADY, by, choice | FORBIDDEN | UNKNOWN | NEWER | CORRUPT, conversation, reason
local _, id, actor, chat, choice, event, eventId, asAdmin = unpack(ARGV)
local q = P .. 'q:' .. id
expect(q, 'hash')
local json, rest, home, state, by, chosen, wonBy, deadline =
  unpack(redis.call('HMGET', q, 'j', 'rest', 'c', 's', 'by', 'choice', 'ev', 'deadline'))
if not json or not home then return { 'UNKNOWN' } end
local readable, question = pcall(cjson.decode, json)
if readable and type(question) == 'table' and (tonumber(question.v) or 0) > 1 then return { 'NEWER' } end
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
if state == 'answered' then return wonBy == eventId and { 'WON', json, rest or '', home } or { 'ALREADY', by, chosen } end
-- Its deadline has passed, and nobody has seen to it yet. One whose timer is lost can be answered.
local due = deadline and redis.call('ZSCORE', P .. 'timers', conv .. ' q.' .. id)
if due and tonumber(due) <= now() then return { 'UNKNOWN' } end
-- An older release named a stop by its kind.
if question.kind == 'stop' then question.acts, question['until'] = 'stop', question.payload end
-- A turn that has ended has nothing left to stop; the press must not end what its owner asked since.
if question['until'] and fate(question['until']) then return { 'UNKNOWN' } end
check('c', 'in', 'stop', 't')
-- Of an older release the record is all there is.
local carried = rest
if not rest then
  carried = '"about":"' .. question.kind .. '"'
  if question.card then carried = carried .. ',"card":' .. cjson.encode(question.card) end
  if question.about and #question.about > 0 then carried = carried .. ',"messages":' .. cjson.encode(question.about) end
  carried = carried .. ',"payload":' .. cjson.encode(question.payload)
end
redis.call('HSET', q, 's', 'answered', 'by', actor, 'choice', choice, 'ev', eventId)
-- What it kept of people's words goes with the answer, and stays nowhere else.
local open = rest and string.find(rest, ',"payload":"', 1, true)
if open then redis.call('HSET', q, 'rest', string.sub(rest, 1, open) .. '"payload":""') end
if deadline then
  timing().disarm('q.' .. id)
  redis.call('PEXPIRE', q, 14 * 86400000)
end
-- The answer carries what the question kept for it, so that whoever applies it need not read the question.
local seq = enqueue(string.sub(event, 1, -2) .. ',' .. carried .. '}', now())
-- A stop acts from here, past every queue, as a literal one does from ingest.
if question.acts == 'stop' then
  redis.call('HSET', key('stop'), question.owner, seq)
  signal()
end
return { 'WON', json, rest or '', home }
