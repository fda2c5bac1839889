// What consolidation by night has in the feature of memory.
import type { Feature } from '#shared/feature/feature.ts'
import { bringNight, createConsolidation, type NightDeps } from './consolidation.ts'
import { answerNight } from './consolidation-press.ts'

type Parts = Required<Pick<Feature, 'questions' | 'letters' | 'after'>>

export const createNight = (deps: NightDeps): Parts => ({
  questions: { night: { answer: (context) => answerNight(deps, context) } },
  letters: { night: { came: (context) => bringNight(deps, context) } },
  after: [createConsolidation(deps)],
})

export type { NightDeps }
