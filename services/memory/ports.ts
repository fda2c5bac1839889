// What memory works with, besides the fleet's own ports.
import type { Clock, People } from '#shared/feature/ports.ts'
import type { MemoryStore } from '#shared/memory/store.ts'

export type MemoryDeps = { readonly memory: MemoryStore } & Pick<Clock, 'now' | 'timeZone'> &
  Pick<People, 'findChoice' | 'setChoice' | 'findZoneOf'>
