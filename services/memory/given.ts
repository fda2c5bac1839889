// The parts of a turn's prompt that memory has: records, and skills.
import type { ContextPart } from '#shared/feature/context-part.ts'
import type { Looking } from './looking.ts'
import { createMemoryPart } from './part.ts'
import type { MemoryDeps } from './ports.ts'
import { createSkillPart } from './skill-part.ts'

export const createGiven = (deps: Pick<MemoryDeps, 'now' | 'timeZone'>, looking: Looking): readonly ContextPart[] => [
  createMemoryPart(deps, looking),
  createSkillPart(deps, looking),
]
