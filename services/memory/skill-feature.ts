// What memory has of skills as a feature: their commands, their cards, and who counts what people thought of them.
import type { Feature } from '#shared/feature/feature.ts'
import { answerSkill, listSkills, skillsCommand } from './skill-list.ts'
import { createSkillOutcomes, type OutcomeDeps } from './skill-outcomes.ts'
import type { SkillDeps } from './skill-record.ts'
import { answerTeach, teach, teachCommand } from './teach.ts'

export type SkillFeatureDeps = SkillDeps & OutcomeDeps

export const skillCommands = [teachCommand, skillsCommand] as const

export const createSkills = (deps: SkillFeatureDeps) =>
  ({
    commands: [
      { ...teachCommand, run: (context) => teach(deps, context) },
      { ...skillsCommand, readsOnly: (args) => args.trim() === '', run: (context) => listSkills(deps, context) },
    ],
    questions: {
      teach: { answer: (context) => answerTeach(deps, context) },
      skill: { answer: (context) => answerSkill(deps, context) },
    },
    after: [createSkillOutcomes(deps)],
  }) satisfies Partial<Feature>
