// While an owner has the fleet do nothing by itself (infra/decisions/052). Timers do not fire then; what had fired before becomes a timer again,
// which is due when that is lifted, and a turn that nobody asked for ends. What a person said or pressed goes its way.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { QueuedEvent, Timer } from '#shared/run/step.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { isCalledOff } from './called-off.ts'
import { finish, type Served, type Serving } from './serving.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'

const lookEveryMs = 1000
type Quiet = Pick<ExecutorDeps, 'isQuiet'>
type Events = () => readonly ChatEvent[]
type Watch = { close(): void }

/** Whether nobody asked for it: a timer fired, a deadline passed, or such a thing wrote a letter. */
export function isByItself(event: ChatEvent): boolean {
  if (event.kind === 'timer') return true
  return (event.kind === 'expired' && event.why === 'deadline') || (event.kind === 'letter' && event.byItself === true)
}

/** Puts it back as a timer where it is to be held back; says whether it did. */
export async function holdBack(
  serving: Serving,
  item: QueuedEvent,
): Promise<{ readonly served: Served | undefined } | undefined> {
  const { deps, state } = serving
  const { event } = item
  // What was called off is over: armed again it would take the place of what has its name now.
  if (!isByItself(event) || (event.kind === 'timer' && isCalledOff(state, event)) || !(await deps.isQuiet()))
    return undefined
  const key = `${toWorkId('h', item)}-${item.seq}`
  return { served: await finish(serving, { key, what: 'held', seqs: [item.seq], timers: toTimers(item) }) }
}

/** Due at once, and so in the first moment in which timers fire. */
function toTimers({ seq, event }: QueuedEvent): readonly Timer[] {
  if (event.kind !== 'timer' && event.kind !== 'expired' && event.kind !== 'letter') return []
  const { at: _, payload, ...rest } = event
  const name = event.kind !== 'timer' ? `held.${seq}` : toName(event)
  // What people wrote comes last, so that Redis finds the ids before it.
  return [{ name, inMs: 0, event: { ...rest, payload } }]
}
const toName = ({ timer, key }: { readonly timer: string; readonly key?: string | undefined }): string =>
  key === undefined ? timer : `${timer}.${key}`

/** Looks again and again, and calls `held` once what goes on by itself is to end. Resolves when it has looked for the first time. */
export async function watchQuiet({ isQuiet }: Quiet, held: () => void): Promise<Watch> {
  const look = async (): Promise<void> => {
    // While a store is away nothing is begun either.
    if (await isQuiet().catch(() => false)) held()
  }
  await look()
  const timer = setInterval(() => {
    // What `held` does may fail.
    look().catch(() => {})
  }, lookEveryMs)
  return { close: () => clearInterval(timer) }
}

/** While a turn runs: `hold` is called once what goes on by itself is to end, where it does, and `stop` once a feature says that it may not go on. */
export async function watchTurn(
  { deps, state, conversation }: Pick<Serving, 'deps' | 'state' | 'conversation'>,
  events: Events,
  { hold, stop }: Readonly<Record<'hold' | 'stop', () => void>>,
): Promise<Watch> {
  const asked = deps.features.all.flatMap(({ goesOn, ...own }) =>
    goesOn ? { goesOn, slice: sliceOf(state, own) } : [],
  )
  const isOver = async (): Promise<boolean> =>
    (await Promise.all(asked.map(({ goesOn, slice }) => goesOn({ slice, conversation })))).includes(false)
  const quiet = await watchByItself(deps, events, hold)
  const over = asked.length > 0 ? await watchQuiet({ isQuiet: isOver }, stop) : undefined
  return { close: () => [quiet, over].forEach((one) => one?.close()) }
}

/** The same for a turn that nobody asked for, of which these are the events. Once a person's words have joined it, they are to be answered. */
async function watchByItself(deps: Quiet, events: Events, held: () => void): Promise<Watch | undefined> {
  const isOurs = (): boolean => events().length > 0 && events().every(isByItself)
  return isOurs() ? await watchQuiet(deps, () => isOurs() && held()) : undefined
}
