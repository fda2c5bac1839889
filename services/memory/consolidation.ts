// Once a night, for whoever talked to the bot that day: which of their records say mostly the same, and which of too many might go (004 §2.3). It proposes by
// rules alone, brings one card to the direct chat in which they did, and changes nothing by itself. What groups keep is not looked through.
import { z } from 'zod'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { findNight, isQuietHour, quietHours, quietHoursId, type QuietHours } from '#shared/desk/hours.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { LetterContext } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import type { Projection } from '#shared/feature/projection.ts'
import type { Accounts } from '#shared/memory/accounts.ts'
import { readStored } from '#shared/stored-json.ts'
import { findProposal, isEmpty, toNightCard } from './consolidation-card.ts'
import { isPaused } from './pause.ts'
import type { MemoryDeps } from './ports.ts'

export type NightDeps = MemoryDeps &
  Pick<Ports['access'], 'mayTalk' | 'isClosed'> & { readonly accounts: Pick<Accounts, 'find'> }

const weekMs = 7 * 86_400_000
const mostAheadMs = 2 * 86_400_000
/** Kept with the choices of a person: until when somebody looks, and for which turn; and when they were asked last, and by which letter. */
const nightId = 'memory_night'
const askedId = 'memory_night_asked'

const letter = z.object({ v: z.literal(1), id: z.string().max(200) })

export const createConsolidation = (deps: NightDeps): Projection => ({
  name: 'consolidation',
  async take(line) {
    if (line.kind !== 'turn' || line.record.group === true) return []
    const { principal } = line.record
    const nowMs = deps.now()
    const [dueMs, name] = split(await deps.findChoice(principal, nightId))
    // The first turn of a day has it done; that turn again has it done, too: its process may have died before it passed on.
    // A time far ahead comes of a clock that was wrong.
    if (nowMs < dueMs && dueMs - nowMs < mostAheadMs && name !== line.name) return []
    const inMs = findNight(nowMs, await findZone(deps, principal), await findHours(deps, principal))
    await deps.setChoice(principal, nightId, `${nowMs + inMs} ${line.name}`)
    return [{ kind: 'job', inMs }]
  },
  async work({ conversation, line }) {
    if (line?.kind !== 'turn') return []
    const { principal } = line.record
    const isNight = isQuietHour(deps.now(), await findZone(deps, principal), await findHours(deps, principal))
    if (!isNight || !(await mayAsk(deps, { principal, conversation, id: line.name }))) return []
    if (isEmpty(await findProposal(deps, principal))) return []
    // On the page somebody has many talks: it comes where they were that day.
    return [{ kind: 'letter', to: conversation, letter: 'night', payload: JSON.stringify({ v: 1, id: line.name }) }]
  },
})

const findZone = async (deps: NightDeps, principal: PrincipalId): Promise<string> =>
  (await deps.findZoneOf(principal)) ?? deps.timeZone

/** Who has no quiet hours has a night all the same. */
async function findHours({ findChoice }: NightDeps, principal: PrincipalId): Promise<QuietHours> {
  const chosen = await findChoice(principal, quietHoursId)
  return quietHours.find((one) => one === chosen && one !== 'none') ?? '22_8'
}

/** A time and a name, as they are kept together. */
function split(kept = ''): readonly [number, string] {
  const [ms = '', name = ''] = kept.split(' ')
  return [Number(ms), name]
}

type Wish = { readonly principal: PrincipalId; readonly conversation: ConversationId; readonly id: string }

/** One card a week on all accounts of a person, unless all that was proposed was taken. A card that its process did not come to show is the same card. */
async function mayAsk(deps: NightDeps, { principal, conversation, id }: Wish): Promise<boolean> {
  if (await isPaused(deps, { principal, conversation })) return false
  const linked = (await deps.accounts.find(principal)).map((one) => one.principal)
  const all = new Set([principal, ...linked])
  const asked = await Promise.all([...all].map(async (one) => split(await deps.findChoice(one, askedId))))
  return asked.every(([askedMs, by]) => by === id || Math.abs(deps.now() - askedMs) >= weekMs)
}

/** The letter: where nothing else waits for them there. Else another night brings it. */
export async function bringNight(deps: NightDeps, context: LetterContext): Promise<readonly StepEffect<never>[]> {
  const { principal, conversation, state, event } = context
  const { id } = readStored('letter of a night', letter, event.payload)
  const isBusy = state.busy !== undefined || state.questions().some(({ to }) => to === principal || to === '*')
  if (isBusy || !(await mayAsk(deps, { principal, conversation, id }))) return []
  if (!(await deps.mayTalk({ principal, conversation })) || (await deps.isClosed(conversation))) return []
  const proposal = await findProposal(deps, principal)
  if (isEmpty(proposal)) return []
  await noteAsked(deps, principal, id)
  const zone = await findZone(deps, principal)
  return await toNightCard(deps, context, { proposal, zone, id })
}

/** As long as this holds no other card comes. `id`: of the card; undefined: all that it proposed was taken. */
export const noteAsked = (deps: Pick<NightDeps, 'now' | 'setChoice'>, who: PrincipalId, id?: string): Promise<void> =>
  deps.setChoice(who, askedId, id === undefined ? '0' : `${deps.now()} ${id}`)
