// The features' own parts of a conversation's state. Each is changed by its feature's fold alone.
import type { Cancel } from '#shared/run/step.ts'
import { withoutWaiting, type Asking } from './asking.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Preferences } from '#shared/feature/setting.ts'
import { BotError } from '#shared/errors.ts'
import { checkSlice } from './check-slice.ts'
import type { Features } from './features.ts'

/** By the name of the feature; one that was never changed is the feature's fresh value itself. */
export type Slices = ReadonlyMap<string, unknown>

export type WithSlices = {
  readonly slices: Slices
  /** What the features say of language, depth and model, the first that says it. */
  readonly prefers: Preferences
}

export const sliceOf = ({ slices }: WithSlices, { name }: Pick<Feature, 'name'>): unknown => slices.get(name)

/** Takes each feature's slice from `find`, and the fresh one where that finds none. */
export function readSlices({ all }: Features, find: (feature: Feature) => unknown): WithSlices {
  const slices = new Map<string, unknown>()
  for (const feature of all) if (feature.slice) slices.set(feature.name, find(feature) ?? feature.slice.fresh)
  return withPreferences(all, slices)
}

/** Throws BotError `internal` for a feature that has no slice to change. */
export function foldChange<T extends WithSlices>({ all }: Features, state: T, feature: Feature, change: unknown): T {
  if (!feature.slice) throw new BotError('internal', `The feature ${feature.name} has no slice that could be changed.`)
  const folded = checkSlice(feature, feature.slice.fold(sliceOf(state, feature), change))
  return { ...state, ...withPreferences(all, new Map([...state.slices, [feature.name, folded]])) }
}

/** As each feature leaves its slice to a new session. */
export const inNewSession = (features: Features, state: WithSlices): WithSlices =>
  changeAll(features, state, ({ slice }, own) => slice?.inNewSession?.(own))

/** Without what waits for people and is called off: questions that wait for their turn, and what features keep of theirs. */
export function withoutCalledOff<T extends WithSlices & { readonly asking?: Asking | undefined }>(
  features: Features,
  state: T,
  which: Cancel,
): T {
  const left = changeAll(features, state, ({ slice }, own) => slice?.calledOff?.(own, which))
  return withoutWaiting({ ...state, ...left }, which)
}

/** Without what the features keep of a message that is to be forgotten. */
export const withoutMessage = (features: Features, state: WithSlices, messageId: string): WithSlices =>
  changeAll(features, state, ({ slice }, own) => slice?.forget?.(own, messageId))

/** `change` gives undefined for a slice that stays as it is. */
function changeAll(
  { all }: Features,
  state: WithSlices,
  change: (feature: Feature, own: unknown) => unknown,
): WithSlices {
  const slices = new Map(state.slices)
  for (const feature of all) {
    const own = sliceOf(state, feature)
    const next = feature.slice && change(feature, own)
    // What is made anew and says the same stays what it was: a fresh slice is not stored.
    if (next !== undefined && JSON.stringify(next) !== JSON.stringify(own)) slices.set(feature.name, next)
  }
  return withPreferences(all, slices)
}

/** What long silence leaves of them, as JSON by name; nothing of those that were never changed. */
export function atRest({ all }: Features, state: WithSlices): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const feature of all) {
    const { slice, name } = feature
    const own = sliceOf(state, feature)
    const left = own === slice?.fresh ? undefined : slice?.atRest?.(own)
    if (left !== undefined && JSON.stringify(left) !== JSON.stringify(slice?.fresh)) found[name] = left
  }
  return found
}

function withPreferences(all: readonly Feature[], slices: Slices): WithSlices {
  const said = all.map((feature) => feature.prefers?.(slices.get(feature.name)))
  const language = said.find((one) => one?.language)?.language
  const depth = said.find((one) => one?.depth)?.depth
  const model = said.find((one) => one?.model !== undefined)?.model
  return { slices, prefers: { language, depth, model } }
}
