-- target, their partition `pNN`, how long ago they were received or empty, (number, id, what it says)... -> how many of them it has now, how many are new, '' | FULL | PARKED
-- Letters from one partition come in the order of their numbers, so the last one's tells which it has, however often and late they are carried.
-- Where the writer's partition lost its last moments a step is done again, and its letter has another number: that one is known by its id.
local mostWaiting, mostBytes = 1000, 8 * 1024 * 1024
check('c', 'in', 'dd')
local at, mark = now(), ARGV[2]
local _, last = numbers(key('c'), 'seq', mark)
local has, new, refused = 0, 0, ''
for i = 4, #ARGV, 3 do
  local number, id, says = tonumber(ARGV[i]), ARGV[i + 1], ARGV[i + 2]
  if number > last then
    if not seen(id) and not isFromBefore(ARGV[3], at) then
      if isFull(mostWaiting, mostBytes) then
        refused = parked() and 'PARKED' or 'FULL'
        break
      end
      remember(id, enqueue('{"at":' .. whole(at) .. ',' .. string.sub(says, 2), at), at)
      new = new + 1
    end
    last = number
  end
  has = has + 1
end
if has > 0 then redis.call('HSET', key('c'), mark, whole(last)) end
return { has, new, refused }
