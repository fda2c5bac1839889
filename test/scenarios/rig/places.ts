// Where the processes of a fleet can be killed, for a stand that plays one run at a time: each unit that changes what is kept of the run, by its
// name, the conversation that it is about, and the how many-eth of these it is. They are written down as they are made, so that the points of
// a scenario are whatever its run without a kill has made.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import type { CallUnit, UnitName } from '#queues/units.ts'
import { readWhole } from './steps.ts'

const made = z.object({
  /** The unit and the conversation, whose run is called RUN. */
  place: z.string(),
  /** It stored the end of a call, whose effect was there before. */
  endsCall: z.boolean(),
})
export type Made = z.infer<typeof made>

const current = z.object({
  run: z.string(),
  side: z.enum(['never', 'before', 'after']),
  place: z.string(),
  nth: z.number(),
})
/** The run that is played, and where it is to lose a process. */
export type Current = z.infer<typeof current>

/** How often one of these comes in a run depends on how fast its processes are: a point may not be there in another one. */
const loose: readonly string[] = ['claim', 'release', 'fire']
export const isLoose = ({ place }: Pick<Current, 'place'>): boolean =>
  loose.some((unit) => place.startsWith(`${unit} `))

/** Who dies before these has done nothing since the unit before: a hint is lost with them, as it is after that unit. */
const withoutBefore: readonly string[] = ['claim', 'fire']

/** Those whose conversation is known before they are made, and which of their arguments it is; the others are about a partition. */
const abouts: Partial<Record<UnitName, number>> = {
  ingest: 0,
  route: 0,
  claim: 0,
  append: 0,
  release: 0,
  receive: 0,
  acknowledge: 1,
}

const currentFile = (folder: string): string => path.join(folder, 'current.json')
const placesFile = (folder: string, run: string): string => path.join(folder, `${run}.places`)
const killedFile = (folder: string, run: string): string => path.join(folder, `web_${run}.killed`)

/** Begins a run. */
export const setCurrent = (folder: string, now: Current): void =>
  writeFileSync(currentFile(folder), JSON.stringify(now))

export const readMade = (folder: string, run: string): readonly Made[] =>
  (readWhole(placesFile(folder, run)) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => made.parse(JSON.parse(line)))

/** On both sides of each unit. Of steps the side before is where the step before it ends, unless a call ends with it. */
export function toPlacePoints(all: readonly Made[]): readonly Omit<Current, 'run'>[] {
  const counts = new Map<string, number>()
  return all.flatMap(({ place, endsCall }): Omit<Current, 'run'>[] => {
    const nth = (counts.get(place) ?? 0) + 1
    counts.set(place, nth)
    const [unit = ''] = place.split(' ')
    const hasBefore = unit === 'append' ? endsCall : !withoutBefore.includes(unit)
    return [...(hasBefore ? [{ side: 'before', place, nth } as const] : []), { side: 'after', place, nth }]
  })
}

export const watchPlaces =
  (folder: string) =>
  (call: CallUnit): CallUnit =>
  async (name, key, args) => {
    const now = readCurrent(folder)
    if (!now) return await call(name, key, args)
    const { run, side, nth } = now
    const about = abouts[name]
    const mine = about === undefined ? undefined : toPlace(name, String(args[about]), run)
    const isMine = mine === undefined ? now.place.startsWith(`${name} `) : mine === now.place
    const count = (): number => readMade(folder, run).filter(({ place }) => place === now.place).length
    const isDue = (before: number): boolean =>
      isMine && count() === before && readWhole(killedFile(folder, run)) === undefined
    if (side === 'before' && isDue(nth - 1)) die(folder, run)
    const answer = await call(name, key, args)
    const endsCall = name === 'append' && args.some((arg) => String(arg).includes('"t":"tool:fin"'))
    const places = toChanged(name, args, answer).flatMap((one) => toPlace(name, one, run) ?? [])
    for (const place of new Set(places))
      appendFileSync(placesFile(folder, run), `${JSON.stringify({ place, endsCall })}\n`)
    if (side === 'after' && places.includes(now.place) && isDue(nth)) die(folder, run)
    return answer
  }

function readCurrent(folder: string): Current | undefined {
  const stored = readWhole(currentFile(folder))
  // While it is written it is empty.
  return stored ? current.parse(JSON.parse(stored)) : undefined
}

function die(folder: string, run: string): void {
  writeFileSync(killedFile(folder, run), String(Date.now()))
  process.kill(process.pid, 'SIGKILL')
  // What is called now is not made any more, however late the signal comes.
  for (;;) readFileSync('/dev/null')
}

/** Nothing for a conversation of another run. */
const toPlace = (unit: UnitName, conversation: string, run: string): string | undefined =>
  conversation === `web:${run}` || ['-', '#'].some((sign) => conversation.startsWith(`web:${run}${sign}`))
    ? `${unit} ${conversation.replace(run, 'RUN')}`
    : undefined

type Answer = readonly unknown[]
const isOk = ([kind]: Answer): boolean => kind === 'OK'

/** Whether a unit that is about one conversation has changed something, by its answer. */
const changes: Partial<Record<UnitName, (answer: Answer) => boolean>> = {
  ingest: ([kind]) => kind === 'NEW',
  route: isOk,
  append: isOk,
  claim: (answer) => answer[0] === 'CLAIMED' && Array.isArray(answer[7]) && answer[7].length > 0,
  release: ([kind]) => kind === 'RELEASED',
  receive: ([, fresh]) => Number(fresh) > 0,
  acknowledge: ([count]) => Number(count) > 0,
}
const everyNth = (answer: Answer, n: number): string[] =>
  answer
    .slice(3)
    .filter((_, i) => i % n === 0)
    .map(String)

/** Of which conversations one that is about a partition has changed something. */
const changed: Partial<Record<UnitName, (answer: Answer) => string[]>> = {
  resolve: ([kind, first, , third]) => (kind === 'WON' ? [String(third)] : kind === 'STALE' ? [String(first)] : []),
  fire: (answer) => everyNth(answer, 2),
  giveOut: (answer) => everyNth(answer, 4),
}

function toChanged(name: UnitName, args: readonly (string | number)[], given: unknown): readonly string[] {
  const answer: Answer = Array.isArray(given) ? given : [given]
  if (changes[name]?.(answer)) return [String(args[abouts[name] ?? 0])]
  return changed[name]?.(answer) ?? []
}
