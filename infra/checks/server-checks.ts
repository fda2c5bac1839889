// Whether the Redis server is fit to keep a fleet's state.
import type { ServerFacts } from '#queues/workers/inspect.ts'
import { finding, type Finding } from './finding.ts'

const maxClockOffsetMs = 5000
const memoryAlarmShare = 0.7

export function checkServer(facts: ServerFacts): Finding[] {
  const [major = 0, minor = 0] = facts.version.split('.').map(Number)
  const tells = major > 7 || (major === 7 && minor >= 2)
  return [
    finding('Redis version', facts.version, major >= 7, 'Flotilla needs Redis 7.0 or later. Upgrade the server.'),
    {
      level: 'ok',
      about: 'what is on disk',
      found: tells
        ? 'the server tells'
        : 'the server cannot tell (Redis 7.2 can): calls that must not be made twice wait 1.5 s before they are made',
    },
    finding(
      'persistence',
      facts.appendOnly ? 'append-only file on' : 'append-only file off',
      facts.appendOnly,
      'Set "appendonly yes" (and "appendfsync everysec"), else a Redis restart loses messages.',
    ),
    finding(
      'writing to disk',
      facts.writes ? 'the last write went well' : 'the last write failed',
      facts.writes,
      'Look whether the disk of the Redis server is full or read-only: until it can write, it refuses what people say.',
    ),
    finding(
      'eviction',
      facts.evictionPolicy,
      facts.evictionPolicy === 'noeviction',
      'Set "maxmemory-policy noeviction": anything else deletes state silently.',
    ),
    checkMemory(facts),
    finding(
      'clock',
      `${facts.clockOffsetMs} ms from Redis`,
      Math.abs(facts.clockOffsetMs) < maxClockOffsetMs,
      'Set this machine\u2019s clock by NTP; deadlines follow Redis\u2019 clock, times in logs and prompts this one.',
    ),
  ]
}

function checkMemory({ usedBytes, maxBytes }: ServerFacts): Finding {
  const about = 'memory'
  const usedMb = Math.round(usedBytes / 1e6)
  if (maxBytes === 0) {
    const fix =
      'Set "maxmemory" to about 60 % of that machine: without a limit the system ends Redis or a neighbour when memory runs out.'
    return { level: 'warning', about, found: `${usedMb} MB, no limit`, fix }
  }
  const share = usedBytes / maxBytes
  return finding(
    about,
    `${usedMb} MB, ${Math.round(share * 100)} % of the limit of ${Math.round(maxBytes / 1e6)} MB (maxmemory)`,
    share < memoryAlarmShare,
    'Give that machine more memory, or raise "maxmemory": at the limit nothing new is taken in until there is room.',
  )
}
