// A press on the card of a night. Safe to repeat: a record that was merged is known by the press, and what went is gone.
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { readStored } from '#shared/stored-json.ts'
import { toSeen } from '#services/memory/file/mark.ts'
import { readAll } from '#services/memory/file/read-all.ts'
import { toJoined } from '#services/memory/night/join.ts'
import { isSeen, onNight, showNight, type OnNight } from './consolidation-card.ts'
import { noteAsked } from './consolidation.ts'
import type { MemoryDeps } from './ports.ts'

type Effects = readonly StepEffect<never>[]

export async function answerNight(deps: MemoryDeps, context: AnswerContext): Promise<Effects> {
  const { event, principal } = context
  const at = readStored('card of a night', onNight, event.payload)
  if (event.choice === 'no') {
    await noteAsked(deps, principal, at.id)
    const [zh, en] = ['好，都留着。一周内我不再问。', 'All right, all of it stays. I ask no sooner than in a week.']
    return [{ kind: 'send', text: { zh, en }[at.language], inPlace: true, about: [] }]
  }
  const next = await act(deps, context, at)
  const isDone = next.merges.every(({ done }) => done !== undefined) && (next.going.length === 0 || next.gone)
  if (isDone) await noteAsked(deps, principal)
  const zone = (await context.zone()) ?? deps.timeZone
  return await showNight(deps, { principal, zone, at: next, inPlace: true })
}

async function act(deps: MemoryDeps, context: AnswerContext, at: OnNight): Promise<OnNight> {
  const { choice } = context.event
  if (choice === 'go') return at.gone ? at : { ...at, gone: await letGo(deps, context, at) }
  const [what = '', place = ''] = choice.split('-')
  const nth = Number(place)
  const chosen = at.merges[nth]
  if (!chosen) return at
  const put = (made: Partial<OnNight['merges'][number]>): OnNight => ({
    ...at,
    merges: at.merges.map((one, which) => (which === nth ? { parts: one.parts, ...made } : one)),
  })
  if (what === 'm' && chosen.done === undefined) return put(await merge(deps, context, chosen))
  if (what === 'u' && chosen.made !== undefined) {
    const went = await deps.memory.drop(ofPerson(context.principal), [chosen.made], 'apart')
    return put({ done: went > 0 ? 'apart' : 'changed' })
  }
  return at
}

type Group = OnNight['merges'][number]

async function merge(
  { memory }: MemoryDeps,
  { conversation, event, principal }: AnswerContext,
  { parts }: Group,
): Promise<Omit<Group, 'parts'>> {
  const isStill = (one: MemoryRecord): boolean => one.supersededBy === undefined && isSeen(one, parts)
  const merged = await memory.merge(
    ofPerson(principal),
    parts.map(({ number }) => number),
    {
      id: toEventId('night', conversation, event.id),
      join: (records) => (records.every(isStill) ? toJoined(records) : undefined),
    },
  )
  return merged.kind === 'merged'
    ? { done: 'merged', into: merged.record.number, made: merged.record.id }
    : { done: merged.kind }
}

/** Those that are gone already were taken by this press, before its process died. */
async function letGo(
  { memory }: MemoryDeps,
  { principal }: AnswerContext,
  { going }: OnNight,
): Promise<NonNullable<OnNight['gone']>> {
  const scope = ofPerson(principal)
  // Those that changed are known by their numbers; of accounts that were linked meanwhile by what was seen.
  const { records } = await readAll(memory, scope)
  const numbers = new Set(going.map((one) => one.number))
  const seen = new Set(going.map((one) => one.seen))
  const there = records.filter((one) => numbers.has(one.number) || seen.has(toSeen(one)))
  const still = there.filter((one) => one.pinned !== true && isSeen(one, going))
  await memory.drop(
    scope,
    still.map(({ number }) => number),
  )
  const left = Math.min(there.length, going.length) - still.length
  return { went: going.length - left, left }
}
