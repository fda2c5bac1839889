// Two processes of a role, of which one after the other dies: by us at some moment, or by itself at a unit.
import type { Child } from './child.ts'
import type { Fleet } from './fleet.ts'
import { assert } from './scenario.ts'

type Kills = {
  readonly role: string
  /** Before or after each of these one dies. */
  readonly units: readonly string[]
  readonly kills: number
  readonly random: () => number
  /** Between two of them by us at most, ms. */
  readonly everyMs: number
  /** Ends it sooner. */
  readonly until: AbortSignal
  /** Whatever they had to warn of. */
  readonly heard: string[]
}

const crashPatienceMs = 6000

/** Where they died. In the end nobody is there who was told to die. */
export async function killAgain(fleet: Fleet, first: readonly Child[], how: Kills): Promise<readonly string[]> {
  const { role, units, kills, random, everyMs, until, heard } = how
  const deaths: string[] = []
  const running = [...first]
  const planned = new Map<Child, string>()
  while (deaths.length < kills && !until.aborted) {
    const at = deaths.length % running.length
    const child = running[at]
    if (!child) break
    const plan = planned.get(child)
    const ended = plan === undefined ? fleet.pause(random() * everyMs) : child.ended
    await Promise.race([ended, fleet.pause(crashPatienceMs)])
    const died = child.isRunning() ? 'random' : (plan ?? 'random')
    if (child.isRunning()) await child.kill()
    const { signal } = await child.ended
    assert(signal === 'SIGKILL', `a process of ${role} ended by ${signal} instead of a kill:\n${child.tail()}`)
    deaths.push(died)
    const lines = child.tail(200).split('\n')
    heard.push(...lines.filter((line) => /"level":"(?:warn|error)"/.test(line)))
    const unit = units[Math.floor(random() * units.length)]
    const crash = `${unit}:${random() < 0.5 ? 'before' : 'after'}:${1 + Math.floor(random() * 4)}`
    const isPlanned = random() < 0.6
    const next = await fleet.start(role, isPlanned ? { CRASH_AT: crash } : {})
    planned.delete(child)
    if (isPlanned) planned.set(next, crash.replace(/:\d$/, ''))
    running[at] = next
  }
  // Whoever was told to die is no use to the others.
  for (const [child] of planned) await child.kill()
  await fleet.start(role)
  return deaths
}
