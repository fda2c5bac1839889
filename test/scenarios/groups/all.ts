// All scenarios: each one once.
import type { Scenario } from '#test/scenarios/rig/scenario.ts'
import { approvals } from './approvals.ts'
import { errors } from './errors.ts'
import { interruptions } from './interruptions.ts'
import { limits } from './limits.ts'
import { questions } from './questions.ts'
import { recovery } from './recovery.ts'
import { sessions } from './sessions.ts'
import { tasks } from './tasks.ts'
import { tools } from './tools.ts'

export const scenarios: readonly Scenario[] = [
  ...tools,
  ...tasks,
  ...errors,
  ...interruptions,
  ...limits,
  ...sessions,
  ...questions,
  ...approvals,
  ...recovery,
]
