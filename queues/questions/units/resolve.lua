-- '', question, actor, chat, choice, event, event id, as administrator?
-- -> WON, question json, rest, conversation or task | ALREADY, by, choice | FORBIDDEN | STALE, conversation or task | UNKNOWN | NEWER | CORRUPT, conversation or task, reason
local _, id, actor, chat, choice, event, eventId, asAdmin = unpack(ARGV)
local answers = answering()
local found, refused = answers.find(id)
if not found then return refused end
if not answers.offers(found, choice) then return { 'UNKNOWN' } end
local question, home = found.record, found.home
conv = home
-- One that a task asked goes with it.
if found.task and not hasTask(found.task) then return { 'UNKNOWN' } end
if home ~= chat and string.sub(home, 1, #chat + 1) ~= chat .. ':' then return { 'FORBIDDEN' } end
if not answers.isAllowed(found, actor, asAdmin == '1') then return { 'FORBIDDEN' } end
-- Nobody waits for it any more.
if found.task and not hasTask(found.task) then return { 'UNKNOWN' } end
if found.stale then return { 'STALE', found.task or home } end
-- The winner's own press again (a lost reply, a redelivered update) is told the same.
if found.state == 'answered' then
  return found.wonBy == eventId and { 'WON', found.json, found.rest, found.task or home } or { 'ALREADY', found.by, found.chosen }
end
if answers.isOver(found, now()) then return { 'UNKNOWN' } end
-- A turn that has ended has nothing left to stop; the press must not end what its owner asked since.
if question['until'] and fate(question['until']) then return { 'UNKNOWN' } end
check('c', 'in', 'stop', 't', 'cards')
if found.task then
  local isFine, why = pcall(within, found.task, check, 'c', 'in', 'dec', 'stop')
  if not isFine then return { 'CORRUPT', found.task, type(why) == 'table' and why.err or tostring(why) } end
end
local isStale, words = answers.isStale(found, actor)
if isStale then
  answers.spoil(found, actor, words, eventId, now())
  return { 'STALE', found.task or home }
end
local carried = answers.win(found, actor, choice, eventId)
local function take()
  local seq = enqueue(string.sub(event, 1, -2) .. ',' .. carried .. '}', now())
  -- A stop acts from here, past every queue, as a literal one does from ingest.
  if question.acts == 'stop' then
    redis.call('HSET', key('stop'), question.owner, seq)
    signal()
  end
end
within(found.task or home, take)
return { 'WON', found.json, found.rest, found.task or home }
