// Processes of a role that die again and again: by us at some moment, or by themselves at a unit. Others take their places.
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
  /** Who was told to die and has not come there is killed by us then, ms. */
  readonly patienceMs: number
  /** Ends it sooner. */
  readonly until: AbortSignal
  /** Whatever they had to warn of. */
  readonly heard: string[]
}

/** Where they died. In the end nobody is there who was told to die. */
export async function killAgain(fleet: Fleet, first: readonly Child[], how: Kills): Promise<readonly string[]> {
  const deaths: string[] = []
  const left = await Promise.all(first.map(async (child) => await killIn(fleet, child, how, deaths)))
  // Whoever was told to die is no use to the others.
  for (const child of left) {
    await child.kill()
    await fleet.start(how.role)
  }
  return deaths
}

/** One that takes the place of another, until so many have died in all. The last of them. */
async function killIn(fleet: Fleet, first: Child, how: Kills, deaths: string[]): Promise<Child> {
  const { role, units, kills, random, everyMs, patienceMs, until, heard } = how
  let [child, plan]: readonly [Child, string | undefined] = [first, undefined]
  while (deaths.length < kills && !until.aborted) {
    const ended = plan === undefined ? fleet.pause(everyMs * (0.2 + random())) : child.ended
    await Promise.race([ended, fleet.pause(patienceMs)])
    if (deaths.length >= kills || until.aborted) break
    deaths.push(child.isRunning() ? 'random' : (plan ?? 'random'))
    if (child.isRunning()) await child.kill()
    const { signal } = await child.ended
    assert(signal === 'SIGKILL', `a process of ${role} ended by ${signal} instead of a kill:\n${child.tail()}`)
    const lines = child.tail(200).split('\n')
    heard.push(...lines.filter((line) => /"level":"(?:warn|error)"/.test(line)))
    const unit = units[Math.floor(random() * units.length)]
    const crash = `${unit}:${random() < 0.5 ? 'before' : 'after'}:${1 + Math.floor(random() * 4)}`
    plan = random() < 0.6 ? crash.replace(/:\d$/, '') : undefined
    child = await fleet.start(role, plan === undefined ? {} : { CRASH_AT: crash })
  }
  return child
}
