// Opens the ports of curiosity.
import type { CuriosityPorts } from '#services/curiosity/desk/ports.ts'
import { listQuestions } from '#services/questions/list.ts'
import type { Clock } from '#shared/feature/ports.ts'
import { refuse } from './refuse.ts'
import type { Runtime } from './runtime.ts'

export type OwnCuriosityPorts = Pick<CuriosityPorts, 'desks' | 'incurious' | 'isOff' | 'refuse' | 'tellOpen'>

export const openCuriosityPorts = (
  { desks, incurious, settings }: Pick<Runtime, 'desks' | 'incurious' | 'settings'>,
  clock: Pick<Clock, 'now'>,
): OwnCuriosityPorts => ({
  desks,
  incurious,
  isOff: !settings.curiosity,
  refuse,
  tellOpen: (context, waiting) => listQuestions(clock, context, waiting),
})
