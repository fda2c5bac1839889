-- Put after the prelude for units that write jobs of readers or end them. A job is the member `<reader> <conversation> <name>` of the sorted set
-- `jobs:<worker>` of its partition, scored with when it is to be looked at: due, put off, on its way to a process (`by` is `-`), or held by one until
-- then. The hash `held:<worker>` says of each job `<first due at> <first begun at, or 0> <begun> <failed> <by>`, and of each conversation with jobs how many (`#<conversation>`).
local mostJobs, mostOfConversation, oldestMs, mostBegun, mostFailed = 500, 50, 86400000, 5, 3
local function jobsOf(worker) return P .. 'jobs:' .. worker end
local function heldOf(worker) return P .. 'held:' .. worker end
local function expectJobs(worker)
  expect(jobsOf(worker), 'zset')
  expect(heldOf(worker), 'hash')
  expect(P .. 'readers', 'hash')
end
local function partsOf(job) return string.match(job, '^(%S+) (%S+) (%S+)$') end

local function removeJob(worker, job, counted)
  redis.call('ZREM', jobsOf(worker), job)
  redis.call('HDEL', heldOf(worker), job)
  local reader, conversation = partsOf(job)
  -- What is no job came from elsewhere, and counts for nobody.
  if not reader then return end
  local count = '#' .. conversation
  if redis.call('HINCRBY', heldOf(worker), count, -1) <= 0 then redis.call('HDEL', heldOf(worker), count) end
  if counted then redis.call('HINCRBY', P .. 'readers', reader .. '/' .. counted, 1) end
end

-- Of one conversation the oldest goes, so that it pushes out nobody else's; else the one that is looked at first.
local function makeRoom(worker, conversation)
  if (tonumber(redis.call('HGET', heldOf(worker), '#' .. conversation) or '0') or 0) >= mostOfConversation then
    for _, job in ipairs(redis.call('ZRANGE', jobsOf(worker), 0, -1)) do
      if select(2, partsOf(job)) == conversation then return removeJob(worker, job, 'dropped') end
    end
  end
  if redis.call('ZCARD', jobsOf(worker)) < mostJobs then return end
  removeJob(worker, redis.call('ZRANGE', jobsOf(worker), 0, 0)[1], 'dropped')
end

local function addJob(worker, job, inMs, at)
  if redis.call('ZSCORE', jobsOf(worker), job) then return end
  local _, conversation = partsOf(job)
  makeRoom(worker, conversation)
  redis.call('ZADD', jobsOf(worker), whole(at + inMs), job)
  redis.call('HSET', heldOf(worker), job, whole(at + inMs) .. ' 0 0 0 -')
  redis.call('HINCRBY', heldOf(worker), '#' .. conversation, 1)
end

local function readJob(worker, job)
  local numbers, by = string.match(redis.call('HGET', heldOf(worker), job) or '', '^(%d+ %d+ %d+ %d+) (%S+)$')
  local first, tried, begun, failed = string.match(numbers or '0 0 0 0', '(%d+) (%d+) (%d+) (%d+)')
  return { first = tonumber(first), tried = tonumber(tried), begun = tonumber(begun), failed = tonumber(failed), by = by or '-' }
end
local function writeJob(worker, job, at, one)
  redis.call('ZADD', jobsOf(worker), whole(at), job)
  local numbers = whole(one.first) .. ' ' .. whole(one.tried) .. ' ' .. one.begun .. ' ' .. one.failed
  redis.call('HSET', heldOf(worker), job, numbers .. ' ' .. one.by)
end
