-- scope, `!`, now as the process has it, number... -> number...: those of them whose term is over went. Both clocks have to say so.
expectMemory()
local at, gone = now(), {}
local untilMs = math.min(at, tonumber(ARGV[3]))
for i = 4, #ARGV do
  local term = redis.call('ZSCORE', P .. 'fading', conv .. ' ' .. ARGV[i])
  if term and tonumber(term) <= untilMs then
    takeAway(ARGV[i], at)
    gone[#gone + 1] = ARGV[i]
  end
end
trimGone(at)
return gone
