-- Put after the records, before the unit that puts conversations away.

-- Whether it has records: they have their own time. Those that no line names any more (`lost`) would stay for ever: some hundred of a
-- conversation go in a call, of a few conversations, and it is looked at again at the next one.
local portions = 5
local function lookAtRecords()
  if redis.call('EXISTS', key('tm')) == 0 then return 'none' end
  if portions == 0 then return 'lost' end
  local isFine, isLost = pcall(function()
    local recorder = recording()
    recorder.expect()
    return recorder.forgetSome(true)
  end)
  if not (isFine and isLost) then return 'kept' end
  portions = portions - 1
  return 'lost'
end
