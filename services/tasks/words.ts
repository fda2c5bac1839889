// What people read of tasks, in both languages. Texts that anybody chose are made inert before they stand in these.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { TaskState } from '#services/tasks/graph/states.ts'

export const pick = (language: Language, { zh, en }: Localised): string => (language === 'zh' ? zh : en)

/** `/task 3` is how people name a task, everywhere. */
export const toName = (number: number, language: Language): string =>
  pick(language, { zh: `任务 #${number}`, en: `Task #${number}` })

export const stateNames: Readonly<Record<TaskState, Localised>> = {
  INIT: { zh: '刚开始', en: 'beginning' },
  PLANNING: { zh: '正在定计划', en: 'being planned' },
  EXECUTING: { zh: '进行中', en: 'at work' },
  VERIFYING: { zh: '等你看过', en: 'waits for you' },
  REPLANNING: { zh: '正在改计划', en: 'being planned anew' },
  FINALIZING: { zh: '正在收尾', en: 'being finished' },
  COMPLETED: { zh: '已完成', en: 'done' },
  ERROR: { zh: '没有完成', en: 'not finished' },
  PAUSED: { zh: '已暂停', en: 'paused' },
}

export const resultWord: Localised = { zh: '结果', en: 'result' }

const waiting: Localised = { zh: '等你决定', en: 'waits for you' }

/** How it stands, in a word or two; `isWaiting`: it goes on once people have done something. */
export const toStateName = (state: TaskState, isWaiting: boolean, language: Language): string =>
  pick(language, isWaiting && state !== 'VERIFYING' ? waiting : stateNames[state])

export const labels = {
  continue: { zh: '继续', en: 'Continue' },
  revise: { zh: '修改', en: 'Revise' },
  rollback: { zh: '回滚到…', en: 'Roll back to …' },
  stop: { zh: '停止', en: 'Stop' },
  change: { zh: '改计划', en: 'Change' },
  start: { zh: '开始', en: 'Start' },
  pause: { zh: '暂停', en: 'Pause' },
  resume: { zh: '恢复', en: 'Resume' },
  retry: { zh: '重试', en: 'Try again' },
  skip: { zh: '跳过', en: 'Skip' },
  without: { zh: '不管它，继续', en: 'Go on without it' },
  cancel: { zh: '取消', en: 'Cancel' },
  restart: { zh: '重新开始', en: 'Begin anew' },
  back: { zh: '不回滚了', en: 'Never mind' },
  undo: { zh: '撤销', en: 'Take it back' },
  leave: { zh: '不撤销', en: 'Leave it' },
  confirm: { zh: '确认回滚', en: 'Roll back' },
} as const satisfies Readonly<Record<string, Localised>>
export type Label = keyof typeof labels

export const toOption = (id: Label, language: Language): { readonly id: string; readonly label: string } => ({
  id,
  label: labels[id][language],
})

const whys: Readonly<Record<string, Localised>> = {
  'model-failed': { zh: '模型没有回答', en: 'the model did not answer' },
  'over-budget': { zh: '今天的额度用完了', en: 'the budget of the day was used up' },
  'set-aside': { zh: '处理它的程序每次都中断了', en: 'the program that worked on it crashed each time' },
  waited: { zh: '没有人批准或回答它要的', en: 'nobody approved or answered what it asked for' },
  answered: { zh: '模型给的东西用不上', en: 'the model gave nothing that could be used' },
}
const atLimit: Localised = { zh: '到了一步的上限', en: 'it came to the limits of one step' }

/** Why a turn of a task failed, by its ending. */
export const toWhy = (ending: string, language: Language): string =>
  pick(language, whys[ending.startsWith('limit:') ? '' : ending] ?? atLimit)

export const toTokens = (tokens: number, language: Language): string => {
  const count = tokens.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB')
  return pick(language, { zh: `已用 ${count} 个 token`, en: `${count} tokens so far` })
}
