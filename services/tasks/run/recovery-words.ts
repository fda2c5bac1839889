// What the card of a task says that cannot go on by itself, by what is in its way.
import type { Localised } from '#shared/chat/message.ts'
import type { Label } from '#services/tasks/words.ts'

/**
 * `plan`: none came about. `forgotten`: there is none any more. `blocked`: what comes next builds on a step that was left out. `between`: no step is at work, and the
 * next one does not begin.
 */
export type Trouble = 'plan' | 'forgotten' | 'step' | 'blocked' | 'between' | 'result'

type Recovery = {
  readonly what: Localised
  readonly help: Localised
  readonly options: readonly (readonly Label[])[]
}

export const recoveries: Readonly<Record<Trouble, Recovery>> = {
  plan: {
    what: { zh: '没能定出计划。', en: 'I could not make a plan for it.' },
    help: {
      zh: '重试：再定一次计划。取消：结束任务。',
      en: 'Try again: plans once more. Cancel: ends the task.',
    },
    options: [['retry', 'cancel']],
  },
  forgotten: {
    what: {
      zh: '计划没有了：它用到的一条消息被删除或忘记了。',
      en: 'The plan is gone: a message that it used was deleted or forgotten.',
    },
    help: {
      zh: '重试：按任务重新定计划，从头做起。取消：结束任务。',
      en: 'Try again: makes a new plan, and begins from the start. Cancel: ends the task.',
    },
    options: [['retry', 'cancel']],
  },
  step: {
    what: { zh: '这一步没有做成', en: 'This step did not succeed' },
    help: {
      zh: '重试：再做这一步。跳过：不做它，依赖它的步骤会卡住。回滚：回到之前的步骤。取消：结束任务，已有的结果留着。',
      en: 'Try again: does this step once more. Skip: leaves it out, and what builds on it is blocked. Roll back: goes to an earlier step. Cancel: ends the task, and keeps what there is.',
    },
    options: [
      ['retry', 'skip'],
      ['rollback', 'cancel'],
    ],
  },
  blocked: {
    what: { zh: '这一步依赖被跳过的步骤', en: 'This step builds on one that was left out' },
    help: {
      zh: '重试：还是做被跳过的那一步。不管它：没有那一步的结果，接着做。回滚：回到之前的步骤。重新开始：按原计划从头再做。取消：结束任务，已有的结果留着。',
      en: 'Try again: does the step that was left out after all. Go on without it: does the rest without its result. Roll back: goes to an earlier step. Begin anew: does all of it again, by the same plan. Cancel: ends the task, and keeps what there is.',
    },
    options: [['retry', 'without'], ['rollback', 'restart'], ['cancel']],
  },
  between: {
    what: { zh: '下一步没能开始。', en: 'The next step could not begin.' },
    help: {
      zh: '重试：再试一次。回滚：回到之前的步骤。取消：结束任务，已有的结果留着。',
      en: 'Try again: tries once more. Roll back: goes to an earlier step. Cancel: ends the task, and keeps what there is.',
    },
    options: [['retry'], ['rollback', 'cancel']],
  },
  result: {
    what: {
      zh: '步骤都做完了，但最后的检查没有做成。',
      en: 'All steps are done, but the last check of them did not succeed.',
    },
    help: {
      zh: '重试：再检查一次。跳过：按各步的结果直接交付。回滚：回到之前的步骤。重新开始：按原计划从头再做。取消：结束任务，已有的结果留着。',
      en: 'Try again: checks once more. Skip: gives out what the steps came to, as it is. Roll back: goes to an earlier step. Begin anew: does all of it again, by the same plan. Cancel: ends the task, and keeps what there is.',
    },
    options: [['retry', 'skip'], ['rollback', 'restart'], ['cancel']],
  },
}
