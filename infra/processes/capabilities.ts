// The capabilities of the fleet, in the order in which /help, menus and prompts have them. A new one is a folder under services, and here its import and
// one line.
import { accountsCapability } from '#services/accounts/accounts.ts'
import { answerButtonsCapability } from '#services/answer-buttons/answer-buttons.ts'
import { artifacts } from '#services/artifacts/artifacts.ts'
import { budgetCapability } from '#services/budget/budget.ts'
import { confidenceCapability } from '#services/confidence/confidence.ts'
import { curiosityCapability } from '#services/curiosity/curiosity.ts'
import { memoryCapability, memoryOfTasks } from '#services/memory/memory.ts'
import { modelsCapability } from '#services/models/models.ts'
import { notebook } from '#services/notebook/notebook.ts'
import { preferencesCapability } from '#services/preferences/preferences.ts'
import { projectsCapability } from '#services/projects/projects.ts'
import { questionsCapability } from '#services/questions/questions.ts'
import { quietCapability } from '#services/quiet/quiet.ts'
import { remindersCapability } from '#services/reminders/reminders.ts'
import { replyModeCapability } from '#services/reply-mode/reply-mode.ts'
import { tasksCapability } from '#services/tasks/home/home.ts'
import { whyCapability } from '#services/why/why.ts'
import { workingCapability } from '#services/working/working.ts'
import { zoneCapability } from '#services/zone/zone.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { PagePorts } from './open-page-ports.ts'
import type { FeaturePorts } from './open-ports.ts'
import { afterAnswers } from './after-answers.ts'
import { toolCapabilities } from './tool-capabilities.ts'

/** A feature that works with no port stands here as it is. */
export type Listed = Feature | Capability<FeaturePorts, PagePorts>

export const capabilities: readonly Listed[] = [
  preferencesCapability,
  budgetCapability,
  replyModeCapability,
  quietCapability,
  zoneCapability,
  remindersCapability,
  memoryCapability,
  accountsCapability,
  projectsCapability,
  questionsCapability,
  curiosityCapability,
  tasksCapability,
  whyCapability,
  workingCapability,
  ...toolCapabilities,
  notebook,
  artifacts,
  answerButtonsCapability,
  modelsCapability,
  confidenceCapability,
  ...afterAnswers,
]

/** What a task's steps work with, besides its own tools. */
export const taskCapabilities: readonly Listed[] = [memoryOfTasks, ...toolCapabilities, artifacts]
