-- target, their partition `pNN`, when it gave them out, how long ago they were received or empty, (number, id, what it says)... -> how many of them it has now, how many are new, '' | FULL | PARKED | STALE
-- Letters from one partition come in the order of their numbers, so the last one's tells which it has, however late they are carried. But
-- where moments were lost numbers may come below it that it has not: on a clock that was put back, or from who gives again what it carried
-- while another went on. So of a day (a number is a time, in microseconds) the ids tell, which are known for longer than that. They also
-- tell where a step is done again whose letter has another number then.
local mostWaiting, mostBytes, knownForMs = 1000, 8 * 1024 * 1024, 24 * 3600000
check('c', 'in', 'dd')
local at, mark = now(), ARGV[2]
local _, last = numbers(key('c'), 'seq', mark)
local has, new, refused = 0, 0, ''
-- What the marks said is gone where the conversation was put away while somebody stood still who carries letters to it.
if at - tonumber(ARGV[3]) > knownForMs then return { 0, 0, 'STALE' } end
for i = 5, #ARGV, 3 do
  local number, id, says = tonumber(ARGV[i]), ARGV[i + 1], ARGV[i + 2]
  if number > last or at - number / 1000 < knownForMs then
    if not seen(id) and not isFromBefore(ARGV[4], at) then
      if isFull(mostWaiting, mostBytes) then
        refused = parked() and 'PARKED' or 'FULL'
        break
      end
      remember(id, enqueue('{"at":' .. whole(at) .. ',' .. string.sub(says, 2), at), at)
      new = new + 1
    end
    last = math.max(last, number)
  end
  has = has + 1
end
if has > 0 then redis.call('HSET', key('c'), mark, whole(last)) end
return { has, new, refused }
