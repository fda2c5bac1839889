-- conversation, message (empty: all of the conversation), why, leaves what one call can do? -> 1 where more may be left
-- What one message or a conversation leads to may be more than one call should take away: Redis would stand still for all meanwhile.
local message, why, leaves = ARGV[2], ARGV[3], ARGV[4] == '1'
local recorder = recording()
if message ~= '' then
  recorder.expect()
  return { recorder.forget(message, why, false, now(), leaves) and 1 or 0 }
end
-- What is broken keeps no conversation from being erased.
local isFine, isLeft = pcall(function()
  recorder.expect()
  return recorder.forgetSome()
end)
return { isFine and isLeft and 1 or 0 }
