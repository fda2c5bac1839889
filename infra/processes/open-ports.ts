// Opens the ports that the features of a process work with, once: the fleet's four, and those that few features have.
import type { FoundModel } from '#infra/models/find-model.ts'
import { createTaskReader } from '#queues/tasks/read-tasks.ts'
import type { BudgetDeps } from '#services/budget/budget.ts'
import type { StatusDeps } from '#services/commands/status.ts'
import type { QuietDeps } from '#services/quiet/quiet.ts'
import type { NextMoment } from '#services/reminders/resolve.ts'
import { tellAnswers } from '#services/memory/answers.ts'
import type { WhyPorts } from '#services/why/why.ts'
import type { TaskReader } from '#services/tasks/view/task-reader.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Ports } from '#shared/feature/ports.ts'
import type { Ask } from '#shared/model/ask.ts'
import { openAsk } from './asking.ts'
import { openCuriosityPorts, type OwnCuriosityPorts } from './curiosity-ports.ts'
import { openFleetPorts } from './open-fleet-ports.ts'
import { openMemoryPorts, type MemoryPorts } from './memory-ports.ts'
import { toModelFacts, type ModelFacts } from './model-facts.ts'
import { findNextMoment } from './next-moment.ts'
import { readCalls } from './read-calls.ts'
import { readSpending } from './read-spending.ts'
import type { Runtime } from './runtime.ts'
import { createBudgetDeps } from './spending.ts'
import type { ToolPorts } from './tool-ports.ts'

export type FeaturePorts = Ports &
  MemoryPorts &
  OwnCuriosityPorts &
  WhyPorts & {
    /** What was spent today, and of which budgets. */
    readonly budgets: BudgetDeps & Pick<StatusDeps, 'spending' | 'platformCalls'>
    readonly quiet: QuietDeps
    /** Tasks of conversations, for those who only look. */
    readonly tasks: TaskReader
    /** Asks a model what is no step of a turn. */
    readonly ask: Ask
    /** The models of this process, for who tells of them. */
    readonly model: ModelFacts
    /** What tools work with outside of the fleet. */
    readonly tools: Omit<ToolPorts, 'close'>
    readonly calendar: { readonly next: NextMoment }
    /** What holds in chats in which nobody chose. */
    readonly usual: { readonly language: Language | undefined; readonly answerButtons: boolean }
  }

export function openPorts(runtime: Runtime, found: FoundModel): FeaturePorts {
  const { settings, quiet, memory, toolPorts } = runtime
  const fleet = openFleetPorts(runtime)
  return {
    ...fleet,
    budgets: {
      ...createBudgetDeps(runtime),
      spending: (context) => readSpending(runtime, context),
      platformCalls: (context) => readCalls(runtime, context),
    },
    quiet,
    ...openCuriosityPorts(runtime, fleet),
    ...openMemoryPorts(runtime),
    tellAnswers: async (given) => await tellAnswers(memory, given),
    tasks: createTaskReader(runtime),
    ask: openAsk(runtime, found),
    model: toModelFacts(found),
    tools: toolPorts,
    calendar: { next: findNextMoment },
    usual: { language: settings.language, answerButtons: settings.answerButtons },
  }
}
