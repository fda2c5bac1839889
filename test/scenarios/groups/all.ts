// All scenarios: each one once.
import type { Scenario } from '#test/scenarios/rig/scenario.ts'
import { tools } from './tools.ts'

export const scenarios: readonly Scenario[] = [...tools]
