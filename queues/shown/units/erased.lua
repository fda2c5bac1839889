-- Put after the prelude for units that erase a conversation, or are given again what a process took before. When it was erased stands among
-- the ids of its events, under a name that none of them has, and for as long as they do: what was taken before that does not come back.
local erasure, roundedMs = '=erased', 1
local function erasedAt()
  local score = redis.call('ZSCORE', key('dd'), erasure)
  return score and (epochSecond + math.floor(score / seqSpan)) * 1000 + score % seqSpan or 0
end
local function noteErased(at)
  local second = math.floor(at / 1000)
  redis.call('ZADD', key('dd'), whole((second - epochSecond) * seqSpan + at - second * 1000), erasure)
  redis.call('EXPIRE', key('dd'), keepSeconds)
end

-- `agoMs`: for how long a process has had what it gives again, by its own watch; empty for what comes for the first time. What was said once
-- the conversation was erased was begun to be taken after that, so that it is never taken for older, but for what rounding does.
local function isFromBefore(agoMs, at)
  return agoMs ~= '' and at - agoMs < erasedAt() - roundedMs
end
