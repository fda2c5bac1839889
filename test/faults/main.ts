// `npm run test:faults`: runs the fault scenarios one after another, each with processes and a Redis of its own.
//   --only <part of a name>   --shard k/n   --seed n   --list
// Ends with a table and one line `N passed, N failed`; the exit code is 1 when one failed.
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { onSecondFeishu } from '#test/faults/rig/feishu.ts'
import type { Scenario } from '#test/faults/rig/scenario.ts'
import { corrupt, poison, poisonThrown } from '#test/faults/scenarios/broken.ts'
import { cardSenders } from '#test/faults/scenarios/card-senders.ts'
import { clockAhead } from '#test/faults/scenarios/clock-ahead.ts'
import { clockSkew } from '#test/faults/scenarios/clock-skew.ts'
import { crashFeature } from '#test/faults/scenarios/crash-feature.ts'
import { crashLetters } from '#test/faults/scenarios/crash-letters.ts'
import { curiosityKills } from '#test/faults/scenarios/curiosity-kills.ts'
import { curiositySwitch } from '#test/faults/scenarios/curiosity-switch.ts'
import { crashPoints } from '#test/faults/scenarios/crash-points.ts'
import { crashJobs } from '#test/faults/scenarios/crash-jobs.ts'
import { crashRecords } from '#test/faults/scenarios/crash-records.ts'
import { crashTimers } from '#test/faults/scenarios/crash-timers.ts'
import { capFreed, executorKilledMidStream, routerKilled, zombie } from '#test/faults/scenarios/kills.ts'
import { daysPass } from '#test/faults/scenarios/days-pass.ts'
import { deadlineRace } from '#test/faults/scenarios/deadline-race.ts'
import { failover } from '#test/faults/scenarios/failover.ts'
import { slowForLong } from '#test/faults/scenarios/slow-for-long.ts'
import { storm } from '#test/faults/scenarios/fifty-kills.ts'
import { bursts, shutdown } from '#test/faults/scenarios/load.ts'
import { halfOpen, repliesCut, repliesLost, slowRedis } from '#test/faults/scenarios/network.ts'
import { idleFleet } from '#test/faults/scenarios/idle-fleet.ts'
import { hostileTexts } from '#test/faults/scenarios/hostile-texts.ts'
import { lastSeconds } from '#test/faults/scenarios/last-seconds.ts'
import { memoryHandsKills } from '#test/faults/scenarios/memory-hands-kills.ts'
import { memoryKills } from '#test/faults/scenarios/memory-kills.ts'
import { memoryLastSeconds } from '#test/faults/scenarios/memory-last-seconds.ts'
import { memorySearchOutage } from '#test/faults/scenarios/memory-search-outage.ts'
import { nextReleaseCards } from '#test/faults/scenarios/next-release-cards.ts'
import { nextRelease } from '#test/faults/scenarios/next-release.ts'
import { noWorker, noWorkerQuick } from '#test/faults/scenarios/no-worker.ts'
import { oldCards } from '#test/faults/scenarios/old-cards.ts'
import { overdueCards } from '#test/faults/scenarios/overdue-cards.ts'
import { partition } from '#test/faults/scenarios/partition.ts'
import { platformBursts } from '#test/faults/scenarios/platform-bursts.ts'
import { forgedPresses, pressedAtOnce } from '#test/faults/scenarios/presses.ts'
import { redisKilled } from '#test/faults/scenarios/redis-outage.ts'
import { sendLimits } from '#test/faults/scenarios/send-limits.ts'
import { discordSender, feishuSender, telegramSender } from '#test/faults/scenarios/sender-killed.ts'
import { taskClocks } from '#test/faults/scenarios/task-clocks.ts'
import { taskCrowd } from '#test/faults/scenarios/task-crowd.ts'
import { taskLoad } from '#test/faults/scenarios/task-load.ts'
import { taskDays } from '#test/faults/scenarios/task-days.ts'
import { taskKills } from '#test/faults/scenarios/task-kills.ts'
import { taskReleases } from '#test/faults/scenarios/task-releases.ts'
import { takeover } from '#test/faults/scenarios/takeover.ts'
import { twiceCapacity } from '#test/faults/scenarios/twice-capacity.ts'
import { twoNamespaces } from '#test/faults/scenarios/two-namespaces.ts'
import { duplicates, outOfOrder } from '#test/faults/scenarios/updates.ts'
import { payloadVersions, storedVersions } from '#test/faults/scenarios/versions.ts'
import { webhookKilled, webhookSlow } from '#test/faults/scenarios/webhook.ts'
import { wideOutage } from '#test/faults/scenarios/wide-outage.ts'
import { feishuRequests } from '#test/faults/scenarios/feishu-requests.ts'
import { feishuTakeover } from '#test/faults/scenarios/feishu-takeover.ts'
import { feishuAgain } from '#test/faults/scenarios/feishu-again.ts'
import { feishuConnection } from '#test/faults/scenarios/feishu-connection.ts'
import { feishuTrouble } from '#test/faults/scenarios/feishu-trouble.ts'
import { exitOnSignal } from '#test/rig/exit-on-signal.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    shard: { type: 'string' },
    seed: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

/** What waits for ever keeps the others from being run no longer than that. */
const latestMs = 30 * 60_000

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const big = { rows: ['must show 5'], messages: 2000, perSecond: 20, pauses: 0, p99Ms: 5000 }
const onBothFeishus = [
  feishuSender,
  cardSenders('feishu'),
  feishuRequests,
  feishuTakeover('killed'),
  feishuTakeover('frozen'),
  feishuAgain,
  feishuConnection,
  feishuTrouble,
]
const all: readonly Scenario[] = [
  ...crashPoints,
  crashFeature,
  crashTimers,
  crashLetters,
  crashJobs,
  crashRecords,
  routerKilled,
  executorKilledMidStream({ name: 'executor-killed', leaseMs: 3000, kills: 20, boundMs: 3500 }),
  zombie,
  capFreed,
  ...redisKilled,
  wideOutage,
  lastSeconds,
  twoNamespaces,
  failover,
  telegramSender,
  discordSender,
  feishuSender,
  cardSenders('telegram'),
  cardSenders('discord'),
  cardSenders('feishu'),
  feishuRequests,
  takeover('telegram'),
  takeover('discord'),
  feishuTakeover('killed'),
  feishuTakeover('frozen'),
  sendLimits,
  twiceCapacity,
  hostileTexts,
  idleFleet,
  partition('telegram'),
  partition('discord'),
  halfOpen,
  repliesLost,
  repliesCut,
  slowRedis,
  ...slowForLong,
  ...noWorker,
  noWorkerQuick,
  clockAhead,
  clockSkew,
  daysPass,
  ...oldCards,
  pressedAtOnce,
  forgedPresses,
  deadlineRace,
  overdueCards,
  webhookKilled,
  webhookSlow,
  feishuAgain,
  feishuConnection,
  feishuTrouble,
  ...onBothFeishus.map(onSecondFeishu),
  duplicates,
  outOfOrder,
  poison,
  poisonThrown,
  corrupt,
  ...bursts,
  ...platformBursts,
  shutdown,
  payloadVersions,
  nextRelease,
  nextReleaseCards,
  storedVersions,
  taskClocks,
  taskDays,
  taskKills,
  taskReleases,
  taskCrowd('task-crowd', { seed, tasks: 200, looks: 'never', failing: 0.2, leastAlone: 0.9, patienceMs: 900_000 }),
  taskCrowd('task-crowd-looks', {
    seed,
    tasks: 40,
    looks: 'every',
    failing: 0.2,
    leastAlone: 0.9,
    patienceMs: 600_000,
  }),
  taskCrowd('task-crowd-cards', {
    seed,
    tasks: 40,
    looks: 'never',
    failing: 0.5,
    isHard: true,
    leastAlone: 0,
    patienceMs: 600_000,
  }),
  taskLoad,
  memorySearchOutage,
  memoryLastSeconds,
  memoryKills({ seed, kills: 50, people: 12, rounds: 6 }),
  memoryHandsKills({ seed, kills: 50, pairs: 3 }),
  curiosityKills({ seed, kills: 50, pairs: 4, days: 4 }),
  curiositySwitch({ seed, trials: 20, pairs: 3 }),
  storm({ name: 'random-kills', rows: [10], messages: 600, perSecond: 10, kills: 20, pauses: 6, seed }),
  storm({ ...big, name: 'fifty-kills', kills: 50, seed }),
  storm({ ...big, name: 'fifty-freezes', kills: 50, freezeMs: [2000, 5000, 20_000], seed }),
]

const [part = Number.NaN, parts = Number.NaN] = (values.shard ?? '1/1').split('/').map(Number)
const chosen = all
  .filter(({ name }) => values.only === undefined || name.includes(values.only))
  .filter((_, i) => i % parts === part - 1)

if (values.list) {
  for (const { name, rows } of chosen) console.log(`${name.padEnd(28)} rows ${rows.join(', ')}`)
} else if (chosen.length === 0) {
  console.error(
    'No scenario is meant by that. --list names them all; --shard 1/2 is the first half of them, 2/2 the second.',
  )
  process.exitCode = 2
} else {
  exitOnSignal()
  process.exitCode = await runAll()
}

async function runAll(): Promise<number> {
  console.log(`seed ${seed}`)
  // A scenario that fails leaves what it had begun. That ends with its fleet, nobody waits for it, and the others are still to be run.
  let unheard: string | undefined
  process.on('unhandledRejection', (error) => (unheard ??= `Nobody waited for what failed: ${toText(error)}`))
  const results: { name: string; rows: string; seconds: string; failed: boolean }[] = []
  const startedAtMs = Date.now()
  for (const scenario of chosen) {
    const begunAtMs = Date.now()
    console.log(`\n${scenario.name} (rows ${scenario.rows.join(', ')})`)
    const late = sleep(latestMs, undefined, { ref: false }).then(() => {
      throw new Error(`It had not ended after ${latestMs / 60_000} minutes.`)
    })
    const failure = await Promise.race([late, scenario.run((line) => console.log(`  ${line}`))]).then(
      () => unheard,
      toText,
    )
    unheard = undefined
    if (failure !== undefined) console.log(`  FAILED ${failure}`)
    results.push({
      name: scenario.name,
      rows: scenario.rows.join(','),
      seconds: ((Date.now() - begunAtMs) / 1000).toFixed(1),
      failed: failure !== undefined,
    })
  }
  console.log('')
  for (const { name, rows, seconds, failed } of results)
    console.log(`${failed ? 'FAILED' : 'passed'}  ${name.padEnd(28)} ${rows.padEnd(12)} ${seconds.padStart(7)} s`)
  const failed = results.filter((result) => result.failed).length
  console.log(`${((Date.now() - startedAtMs) / 1000).toFixed(0)} s in all`)
  console.log(`${results.length - failed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

function toText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : 'not an Error'
}
