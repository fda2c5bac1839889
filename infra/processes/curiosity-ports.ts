// Opens the ports of curiosity.
import type { CuriosityPorts } from '#services/curiosity/desk/ports.ts'
import { listQuestions } from '#services/questions/list.ts'
import { createQuestions } from '#services/curiosity/questions/source.ts'
import { isPaused } from '#services/memory/pause.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { createSuggestions } from '#services/memory/suggest.ts'
import type { DeskSource } from '#shared/desk/source.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { refuse } from './refuse.ts'
import type { Runtime } from './runtime.ts'

export type OwnCuriosityPorts = Pick<
  CuriosityPorts,
  'desks' | 'sources' | 'incurious' | 'readingCounts' | 'isOff' | 'refuse' | 'isPaused' | 'tellOpen'
>

type Needed = Pick<Runtime, 'desks' | 'incurious' | 'readingCounts' | 'memory' | 'settings'>

export const openCuriosityPorts = (
  runtime: Needed,
  fleet: Pick<Ports, 'access' | 'clock' | 'people'>,
): OwnCuriosityPorts => ({
  desks: runtime.desks,
  sources: openSources(runtime, fleet),
  incurious: runtime.incurious,
  readingCounts: runtime.readingCounts,
  isOff: !runtime.settings.curiosity,
  refuse,
  isPaused: async (where) => await isPaused(fleet.people, where),
  tellOpen: (context, waiting) => listQuestions(fleet.clock, context, waiting),
})

/** All that waits for people. Where the settings leave curiosity out, none of its questions is brought; one that stands on a card may still be answered. */
export function openSources(
  { desks, memory, settings }: Pick<Needed, 'desks' | 'memory' | 'settings'>,
  { access, clock, people }: Pick<Ports, 'access' | 'clock' | 'people'>,
): readonly DeskSource[] {
  const questions = createQuestions({ memory, desks, refuse, isClosed: access.isClosed })
  const suggestions = createSuggestions({ memory, ...clock, ...people }, createMemorySettings(people))
  return [settings.curiosity ? questions : { ...questions, find: () => Promise.resolve([]) }, suggestions]
}
