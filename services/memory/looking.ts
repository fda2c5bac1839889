// What finds records for a turn, and says which of them may be given where.
import type { People } from '#shared/feature/ports.ts'
import { createRecall, type Recall, type RecallDeps } from './recall.ts'
import { createMemorySettings, type MemorySettings } from './settings.ts'

export type LookingDeps = RecallDeps & Pick<People, 'findChoice' | 'setChoice'>

export type Looking = { readonly recall: Recall; readonly settings: Pick<MemorySettings, 'groups'> }

export function createLooking(deps: LookingDeps) {
  return { recall: createRecall(deps), settings: createMemorySettings(deps) }
}
