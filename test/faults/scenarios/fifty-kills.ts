// The big one: twenty messages a second over Telegram, web and console, two thousand in all, while fifty processes are killed, each at
// a moment at which it holds something; or frozen, for two, five and twenty seconds. And its smaller, wilder sister: random kills and pauses from
// a printed seed (row 10).
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, createRandom, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import { hitHolder, type Killed } from '#test/faults/rig/victims.ts'

export type Storm = {
  readonly name: string
  readonly rows: readonly (number | string)[]
  readonly messages: number
  readonly perSecond: number
  readonly kills: number
  readonly seed: number
  /** How many processes are also paused for twice their lease. */
  readonly pauses: number
  /** Processes are frozen in turn for so long, instead of killed. */
  readonly freezeMs?: readonly number[]
  /** So long 99 of 100 wait at most. */
  readonly p99Ms?: number
}

const roles = ['router', 'router', 'executor', 'executor', 'telegram', 'telegram', 'web']
/** Half of them stand still at a time. */
const rolesToFreeze = [...roles, 'router', 'executor', 'telegram']
const order = ['executor', 'telegram', 'router', 'executor', 'web', 'telegram'] as const
const chats = 40
const leaseMs = 3000
const drainMs = 120_000

export function storm(how: Storm): Scenario {
  return {
    name: how.name,
    rows: how.rows,
    async run(note) {
      const random = createRandom(how.seed)
      await using fleet = await startFleet({ telegram: true, leaseMs })
      const kept = keepAlive(fleet)
      await Promise.all((how.freezeMs ? rolesToFreeze : roles).map((role) => fleet.start(role)))
      await fleet.model.script({ latencyMs: 250, chunkDelayMs: 30 })
      await fleet.telegram?.control({ do: 'fault', rule: { when: { method: 'sendMessage' }, delayMs: 60 } })
      const startedAtMs = Date.now()
      const talking = talk(fleet, how, random)
      const killed = await killAll(fleet, how, random)
      for (const [i, one] of killed.entries()) note(toLine(i, one))
      await talking
      const talkedMs = Date.now() - startedAtMs
      await drain(fleet)
      kept.stop()
      const drainedMs = Date.now() - startedAtMs
      const sending = killed.reduce((sum, { role, rows }) => sum + (role === 'telegram' ? rows : 0), 0)
      const turns = killed.reduce((sum, one) => sum + one.turns, 0)
      const unknown = await expectInvariants(fleet, {
        extraModelCalls: turns + how.pauses * chats,
        unknown: sending + how.pauses,
      })
      const waits = [...fleet.talk.asked.values()].flatMap((asked) => {
        const [answer] = fleet.talk.answersTo(asked.id)
        return answer ? [answer.atMs - asked.atMs] : []
      })
      const { requests } = await fleet.model.counters()
      const p99Ms = percentile(waits, 0.99)
      note(
        `${fleet.talk.asked.size} messages in ${(talkedMs / 1000).toFixed(0)} s, all ended after ${(drainedMs / 1000).toFixed(0)} s; ` +
          `wait p50 ${percentile(waits, 0.5)} ms, p95 ${percentile(waits, 0.95)} ms, p99 ${p99Ms} ms, worst ${percentile(waits, 1)} ms; ${requests} model calls`,
      )
      note(
        `${killed.length} ${how.freezeMs ? 'freezes' : 'kills'}: 0 duplicated, 0 out of order, ${fleet.talk.asked.size - fleet.talk.open.size} answered, ` +
          `${unknown} rows unknown of ${sending} that a killed Telegram sender was sending`,
      )
      assert(p99Ms <= (how.p99Ms ?? Infinity), `p99 of the wait ${p99Ms} ms, more than ${how.p99Ms} ms`)
      assert(killed.length === how.kills, `${killed.length} of ${how.kills} kills found a process that held something`)
    },
  }
}

/** Starts a process of the same role for each that ends. */
function keepAlive(fleet: Fleet): { stop(): void } {
  let over = false
  const watched = new Set<number>()
  const timer = setInterval(() => {
    for (const child of fleet.roles) {
      if (watched.has(child.pid)) continue
      watched.add(child.pid)
      void child.ended.then(() =>
        over
          ? undefined
          : fleet.start(child.name).then(
              () => {},
              () => {},
            ),
      )
    }
  }, 20)
  return {
    stop() {
      over = true
      clearInterval(timer)
    },
  }
}

async function talk(fleet: Fleet, how: Storm, random: () => number): Promise<void> {
  const sent: Promise<unknown>[] = []
  const startedAtMs = Date.now()
  for (let n = 0; n < how.messages; n++) {
    const chat = Math.floor(random() * chats)
    const text = `what is message ${n}?`
    if (n % 3 === 0) sent.push(fleet.askTelegram(2000 + chat, text))
    else if (n % 3 === 1) sent.push(fleet.askWeb(`w${chat}`, text))
    else sent.push(fleet.ask(`c${chat}`, text, 'console'))
    await fleet.pause(Math.max(0, startedAtMs + ((n + 1) * 1000) / how.perSecond - Date.now()))
  }
  await Promise.all(sent)
}

async function killAll(fleet: Fleet, how: Storm, random: () => number): Promise<readonly Killed[]> {
  const everyMs = (how.messages / how.perSecond) * (900 / (how.kills + how.pauses))
  const killed: Killed[] = []
  let pauses = 0
  for (let i = 0; killed.length < how.kills && i < how.kills * 2; i++) {
    const nextAtMs = Date.now() + everyMs * (0.5 + random())
    const named = order[i % order.length] ?? 'executor'
    // Of the web process there is one.
    const role = how.freezeMs && named === 'web' ? 'router' : named
    const prefer = role === 'telegram' ? 'row' : undefined
    const freezeMs = how.freezeMs?.[killed.length % how.freezeMs.length]
    const one = await hitHolder(fleet, role, {
      patienceMs: 6000,
      ...(prefer ? { prefer } : {}),
      ...(freezeMs === undefined ? {} : { freezeMs }),
    })
    if (one) killed.push(one)
    if (pauses < how.pauses && random() < how.pauses / how.kills) {
      pauses += 1
      const running = fleet.roles.filter(({ name, isRunning }) => isRunning() && name !== 'web')
      const paused = running[Math.floor(random() * running.length)]
      paused?.freeze()
      setTimeout(() => paused?.thaw(), fleet.leaseMs * 2)
    }
    await fleet.pause(Math.max(0, nextAtMs - Date.now()))
  }
  return killed
}

/** Waits until everything asked is answered or its row is unknown. */
async function drain(fleet: Fleet): Promise<void> {
  const end = Date.now() + drainMs
  for (;;) {
    const rows = (await fleet.telegram?.rows()) ?? []
    const excused = new Set(rows.filter(({ state }) => state === 'unknown').flatMap(({ answers }) => answers))
    if ([...fleet.talk.open].every((id) => excused.has(id))) return
    if (Date.now() > end) return await fleet.answered(1)
    await fleet.pause(250)
  }
}

function toLine(i: number, { role, pid, hold, turns, rows }: Killed): string {
  const what = hold.row === undefined ? hold.what : `row ${hold.row}`
  return `kill ${String(i + 1).padStart(2)}: ${role} ${pid} held ${what} of ${hold.of} (${turns} turns, ${rows} rows)`
}
