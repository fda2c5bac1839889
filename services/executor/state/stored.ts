// How a conversation's state is stored: a snapshot, and beside it parts that are written only when they change. What every step changes
// (the session's last moment, the buttons under the last answer) is one part, what was said long ago another, and each feature's slice
// one of its own; so a command in a conversation with a long history writes a few hundred bytes.
import { z } from 'zod'
import { languages } from '#shared/chat/message.ts'
import { BotError } from '#shared/errors.ts'
import { taint } from '#shared/model/taint.ts'
import { readStored, withUnknown } from '#shared/stored-json.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Append, Claimed } from '#shared/run/step.ts'
import { sumTokens } from './fit-items.ts'
import { givenPart } from './given-part.ts'
import { asking, isAsking } from './asking.ts'
import { historyItem } from './history-item.ts'
import type { Features } from './features.ts'
import { atRest, readSlices, type WithSlices } from './slices.ts'
import { summary } from './summary.ts'
import { newSession, type ConversationState } from './state.ts'
import { told } from './told.ts'

/** Names of parts. */
const [headPart, pastPart, contextPart, summaryPart] = ['head', 'past', 'context', 'summary']
const [askingPart, toldPart, reportedPart, prefixPart, toolsPart] = ['asking', 'told', 'reported', 'prefix', 'tools']
const toPart = ({ name }: Pick<Feature, 'name'>): string => `f.${name}`
/** Once more than this was said since the past was written, it is written anew; until then each step writes what was said since. */
const maxRecentChars = 8000

const session = z.object({
  id: z.string(),
  startedAt: z.number(),
  lastAt: z.number(),
  language: z.enum(languages).optional(),
  timed: z.literal(true).optional(),
})
const head = z.object({
  v: z.literal(1),
  session,
  heard: z.enum(languages).optional(),
  under: z.object({ card: z.string(), questions: z.array(z.string()), chars: z.number() }).optional(),
  calledOff: z.object({ timer: z.string(), id: z.string(), at: z.number() }).array().optional(),
})
const putOff = z.object({
  text: z.string(),
  toldAt: z.number(),
  stillAt: z.number(),
  about: z.array(z.string()).optional(),
  for: z.string().optional(),
})
const snapshotShape = z.object({
  v: z.literal(1),
  /** The newest of it only, when older items stand beside the snapshot. */
  history: z.array(historyItem),
  /** How many stand there. None do where it is left out, as of a conversation that was put away. */
  past: z.number().optional(),
  people: z.record(z.string(), z.string()).optional(),
  answered: z.array(z.string()),
  forgotten: z.array(z.string()).optional(),
  lastText: z.string().optional(),
  lastAbout: z.array(z.string()).optional(),
  lastQuoted: z.array(z.string()).optional(),
  lastOf: z.object({ by: z.string().optional(), taint: taint.optional(), for: z.string().optional() }).optional(),
  putOff: z.record(z.string(), putOff).optional(),
  crowded: z.enum(['soft', 'hard']).optional(),
  hurried: z.number().optional(),
  fellOut: z.number().optional(),
  turns: z.number(),
  tokens: z.number(),
  refusedAt: z.record(z.string(), z.number()),
  /** Of a conversation that was put away: what its features left of their slices, by name. */
  slices: z.record(z.string(), z.unknown()).optional(),
})
const restShape = z.object({ slices: z.record(z.string(), z.unknown()).optional() })
const nothing = { history: [], answered: [], turns: 0, tokens: 0, refusedAt: {} }
const fresh = { ...nothing, slices: undefined, past: 0 }

/**
 * Reads what is stored; without a snapshot it is that of a conversation never seen. Throws `store-corrupt` for an unknown shape, `store-newer`
 * for one of a newer release.
 */
export function parseState(
  features: Features,
  { snapshot, parts, rest }: Pick<Claimed, 'snapshot' | 'parts' | 'rest'>,
  nowMs: number,
): ConversationState {
  try {
    const read = snapshot === undefined ? undefined : readStored('snapshot', snapshotShape, snapshot)
    const { past: count = 0, slices, ...core } = read ? withoutUnknown(snapshotShape, read) : fresh
    const readPart = <T>(name: string, schema: z.ZodType<T>): T | undefined =>
      parts[name] ? readStored(name, schema, parts[name]) : undefined
    const past = count === 0 ? [] : (readPart(pastPart, historyItem.array()) ?? [])
    if (past.length !== count) throw new Error(`The snapshot stands on ${count} items.`)
    const ofFeatures = readSlices(features, ({ name, slice }) => {
      const own = parts[toPart({ name })]
      const found: unknown = own === undefined ? slices?.[name] : JSON.parse(own)
      return found === undefined ? undefined : slice && withUnknown(found, slice.schema.parse(found))
    })
    const tools = parts[toolsPart] || undefined
    features.tools.shown(tools)
    const part = readPart(headPart, head)
    const left = rest ? readStored('rest', restShape, rest) : {}
    const others = { ...unknownTo(features, left.slices), ...unknownTo(features, slices) }
    const unknown = {
      snapshot: unknownIn(snapshotShape, read ?? {}),
      head: unknownIn(head, part ?? {}),
      rest: unknownIn(snapshotShape, left),
    }
    return {
      ...core,
      ...(part ? withoutUnknown(head, part) : { session: newSession(nowMs) }),
      ...ofFeatures,
      context: readPart(contextPart, givenPart.array()),
      prefix: readPart(prefixPart, givenPart.array()),
      tools,
      summary: readPart(summaryPart, summary),
      asking: readPart(askingPart, asking),
      told: readPart(toldPart, told),
      reported: readPart(reportedPart, z.array(z.string())),
      history: [...past, ...core.history],
      stored: { snapshot, parts, rest, past, others, unknown },
    }
  } catch (cause) {
    if (cause instanceof BotError && cause.code === 'store-newer') throw cause
    throw new BotError('store-corrupt', 'CORRUPT The snapshot has an unknown shape or version.', { cause })
  }
}

/** Without the fields of the first level that only a newer release knows: they are none of the state. */
function withoutUnknown<T extends object>({ shape }: z.ZodObject, stored: T): T {
  const left = { ...stored }
  for (const name of Object.keys(left)) if (!(name in shape)) Reflect.deleteProperty(left, name)
  return left
}

/** Fields of the first level that only a newer release knows. */
const unknownIn = ({ shape }: z.ZodObject, stored: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => !(name in shape)))

/** What features that this process does not have left of their slices. */
function unknownTo({ all }: Features, slices?: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!slices) return {}
  const known = new Set(all.map(({ name }) => name))
  return Object.fromEntries(Object.entries(slices).filter(([name]) => !known.has(name)))
}

/** What a step is to store of the state, and the state once that is stored. */
export function toStored(
  features: Features,
  state: ConversationState,
): { readonly step: Pick<Append, 'snapshot' | 'parts' | 'rest' | 'forgets'>; readonly state: ConversationState } {
  const { stored, session: at, heard, under, calledOff, slices, history, context, forgets } = state
  const kept = stored.past.every((item, i) => item === history[i]) ? stored.past : []
  const isLong = sumTokens(history.slice(kept.length), (text) => text.length) > maxRecentChars
  const past = isLong ? history : kept
  const pastText = past === stored.past ? stored.parts[pastPart] : past.length === 0 ? '' : JSON.stringify(past)
  const all: Record<string, string> = {
    ...(pastText === undefined ? {} : { [pastPart]: pastText }),
    [headPart]: JSON.stringify({ v: 1, session: at, heard, under, calledOff, ...stored.unknown.head }),
    [contextPart]: context ? JSON.stringify(context) : '',
    [summaryPart]: state.summary ? JSON.stringify(state.summary) : '',
    [askingPart]: isAsking(state.asking) ? JSON.stringify(state.asking) : '',
    [toldPart]: state.told?.length ? JSON.stringify(state.told) : '',
    [prefixPart]: state.prefix ? JSON.stringify(state.prefix) : '',
    [toolsPart]: state.tools ?? '',
    [reportedPart]: state.reported?.length ? JSON.stringify(state.reported) : '',
  }
  for (const feature of features.all) {
    const own = slices.get(feature.name)
    const isFresh = !feature.slice || own === feature.slice.fresh
    // One that was never changed, or is as it was at first again, is not kept.
    if (!isFresh) all[toPart(feature)] = JSON.stringify(own)
    else if (stored.parts[toPart(feature)]) all[toPart(feature)] = ''
  }
  // Of features that this process does not have: a snapshot that was left after silence holds them, the one that is written now does not.
  for (const [name, own] of Object.entries(stored.others))
    if (stored.parts[toPart({ name })] === undefined) all[toPart({ name })] = JSON.stringify(own)
  const changed = Object.entries(all).filter(([name, text]) => text !== (stored.parts[name] ?? ''))
  const snapshot = toSnapshot(state, past.length)
  const rest = toRest(features, state)
  return {
    step: {
      ...(snapshot === stored.snapshot ? {} : { snapshot }),
      ...(changed.length > 0 ? { parts: Object.fromEntries(changed) } : {}),
      ...(rest === stored.rest ? {} : { rest }),
      ...(forgets ? { forgets } : {}),
    },
    state: {
      ...state,
      forgets: undefined,
      stored: { ...stored, snapshot, parts: { ...stored.parts, ...all }, rest, past },
    },
  }
}

/** Always in this order, so that an unchanged one is known by its text. */
function toSnapshot(state: ConversationState, past: number): string {
  const { people, answered, forgotten, lastText, lastAbout, lastQuoted, lastOf, ...others } = state
  const { putOff: off, crowded, hurried, fellOut, turns, tokens, refusedAt } = others
  const said = { people, answered, forgotten, lastText, lastAbout, lastQuoted, lastOf, putOff: off }
  const counted = { crowded, hurried, fellOut, turns, tokens, refusedAt }
  const own = { v: 1, ...said, ...counted, past, history: state.history.slice(past) }
  return JSON.stringify({ ...own, ...state.stored.unknown.snapshot })
}

/** What is left after long silence: what people set, and nothing when they set nothing. */
function toRest(features: Features, state: WithSlices & Pick<ConversationState, 'stored'>): string {
  const slices = { ...state.stored.others, ...atRest(features, state) }
  const { rest } = state.stored.unknown
  if (Object.keys(slices).length + Object.keys(rest).length === 0) return ''
  return JSON.stringify({ v: 1, ...nothing, slices, ...rest })
}
