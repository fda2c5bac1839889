// A skill: a procedure that a person taught, as its record of memory has it. It is words, and gives nobody any right.
import { z } from 'zod'

/** Of names, conditions and lines, in characters; and how many there may be. */
export const skillBounds = {
  name: 100,
  description: 500,
  trigger: 200,
  triggers: 8,
  action: 200,
  details: 500,
  steps: 20,
  tool: 64,
  tools: 10,
  historyLine: 200,
  history: 20,
} as const

const judged = 20

export const skillStep = z.object({
  action: z.string().min(1).max(skillBounds.action),
  details: z.string().min(1).max(skillBounds.details).exactOptional(),
  /** Names alone: whoever the skill is given to has the tools that they had before. */
  tools: z
    .array(z.string().regex(/^[\w.:-]{1,64}$/))
    .min(1)
    .max(skillBounds.tools)
    .exactOptional(),
})
export type SkillStep = z.infer<typeof skillStep>

const verdict = z.object({ turn: z.string().max(120), good: z.boolean() })

export const skill = z.object({
  /** Its name, or what its teacher calls it, as letters, digits and `_`, with its version: `weekly_report_v2`. */
  skillId: z.string().regex(/^[\p{L}\p{M}\p{N}_]{1,64}_v\d{1,5}$/u),
  name: z.string().min(1).max(skillBounds.name),
  description: z.string().min(1).max(skillBounds.description),
  /** What a request is compared with. */
  triggers: z.array(z.string().min(1).max(skillBounds.trigger)).min(1).max(skillBounds.triggers),
  steps: z.array(skillStep).min(1).max(skillBounds.steps),
  version: z.number().int().positive(),
  /** A line for each version, the newest last. */
  history: z.array(z.string().min(1).max(skillBounds.historyLine)).min(1).max(skillBounds.history),
  /** What people thought of answers that had been given it; missing until somebody said so. `judged`: the newest, so that a changed mind counts once. */
  outcomes: z
    .object({
      good: z.number().int().nonnegative(),
      bad: z.number().int().nonnegative(),
      judged: z.array(verdict).max(judged),
    })
    .exactOptional(),
})
export type Skill = z.infer<typeof skill>
export type Outcomes = NonNullable<Skill['outcomes']>

export const mostJudged = judged
