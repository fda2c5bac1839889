// The work of a task, as a feature of its own run: it is told things by its conversation and by itself, its turns plan, do one step, or finish, and its cards
// ask people. It holds no other state than its slice and its texts.
import type { Feature } from '#shared/feature/feature.ts'
import { toOurs } from '#shared/feature/kept.ts'
import { createFileTools } from '#services/tasks/files/tools.ts'
import { begin } from './begin.ts'
import { answerCard, answerChange } from './change.ts'
import { answerCheckpoint } from './checkpoint.ts'
import { ended } from './ended.ts'
import { pauseWhere, showLeft } from './expire.ts'
import { findHindrance } from './hindrance.ts'
import { goOn, lose, showWhatWaits, stopWaiting } from './next.ts'
import { taskSlice, type TaskChange, type TaskOwn } from './own.ts'
import { planTool } from './plan-tool.ts'
import { planTools } from './plan-tools.ts'
import { answerRecovery } from './recover.ts'
import { answerConfirm, answerWhere } from './rollback.ts'
import { answerPaused, steer } from './steer.ts'
import { answerUndo } from './undo.ts'
import type { TaskDeps } from './work.ts'

export const createTaskWork = (deps: TaskDeps): Feature<TaskOwn, TaskChange> => ({
  name: 'tasks',
  slice: taskSlice,
  tools: [
    planTool,
    ...planTools,
    ...createFileTools<TaskOwn, TaskChange>({ tree: ({ tree }) => tree, toChange: (tree) => ({ tree: toOurs(tree) }) }),
  ],
  letters: {
    begin: { came: (context) => begin(deps, context) },
    next: { came: (context) => goOn(deps, context) },
    again: { came: async (context) => await showWhatWaits(context) },
    lost: { came: (context) => lose(deps, context) },
    steer: { came: (context) => steer(context) },
  },
  questions: {
    card: { answer: answerCard },
    change: { answer: answerChange, expired: pauseWhere('words'), forgotten: showLeft },
    checkpoint: { answer: answerCheckpoint, expired: pauseWhere('checkpoint'), forgotten: showLeft },
    rollback: { answer: answerWhere, expired: pauseWhere('checkpoint', 'recovery'), forgotten: showLeft },
    confirm: { answer: answerConfirm, expired: pauseWhere('checkpoint', 'recovery'), forgotten: showLeft },
    recovery: { answer: answerRecovery, expired: pauseWhere('recovery'), forgotten: showLeft },
    undo: { answer: answerUndo, expired: pauseWhere('undo'), forgotten: showLeft },
    paused: { answer: answerPaused },
  },
  timers: { waited: { due: (context) => stopWaiting(deps, context) } },
  goesOn: async (asked) => asked.slice.number === 0 || (await findHindrance(deps, asked)) === undefined,
  ended: (turn) => ended(deps, turn),
})
