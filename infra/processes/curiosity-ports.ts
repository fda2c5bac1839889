// Opens the ports of curiosity.
import type { CuriosityPorts } from '#services/curiosity/desk/ports.ts'
import { listQuestions } from '#services/questions/list.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { createSuggestions } from '#services/memory/suggest.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { refuse } from './refuse.ts'
import type { Runtime } from './runtime.ts'

export type OwnCuriosityPorts = Pick<
  CuriosityPorts,
  'desks' | 'sources' | 'incurious' | 'isOff' | 'refuse' | 'tellOpen'
>

export const openCuriosityPorts = (
  { desks, incurious, memory, settings }: Pick<Runtime, 'desks' | 'incurious' | 'memory' | 'settings'>,
  { clock, people }: Pick<Ports, 'clock' | 'people'>,
): OwnCuriosityPorts => ({
  desks,
  sources: [createSuggestions({ memory, ...clock, ...people }, createMemorySettings(people))],
  incurious,
  isOff: !settings.curiosity,
  refuse,
  tellOpen: (context, waiting) => listQuestions(clock, context, waiting),
})
