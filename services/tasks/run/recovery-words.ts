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

const lines = (all: readonly string[]): string => all.map((one) => `- ${one}`).join('\n')

const back = { zh: '回滚：回到之前的步骤。', en: 'Roll back: goes to an earlier step.' }
const anew = { zh: '重新开始：按原计划从头再做。', en: 'Begin anew: does all of it again, by the same plan.' }
const cancel = {
  zh: '取消：结束任务，已有的结果留着。',
  en: 'Cancel: ends the task, and keeps what there is.',
}

export const recoveries: Readonly<Record<Trouble, Recovery>> = {
  plan: {
    what: { zh: '没能定出计划。', en: 'I could not make a plan for it.' },
    help: {
      zh: lines(['重试：再定一次计划。', '取消：结束任务。']),
      en: lines(['Try again: makes the plan once more.', 'Cancel: ends the task.']),
    },
    options: [['retry', 'cancel']],
  },
  forgotten: {
    what: {
      zh: '计划没有了：它用到的一条消息被删除或忘记了。',
      en: 'The plan is gone: a message that it used was deleted or forgotten.',
    },
    help: {
      zh: lines(['重试：按任务重新定计划，从头做起。', '取消：结束任务。']),
      en: lines(['Try again: makes a new plan, and begins from the start.', 'Cancel: ends the task.']),
    },
    options: [['retry', 'cancel']],
  },
  step: {
    what: { zh: '这一步没有做成', en: 'This step did not succeed' },
    help: {
      zh: lines(['重试：再做这一步。', '跳过：不做它，依赖它的步骤会卡住。', back.zh, cancel.zh]),
      en: lines([
        'Try again: does this step once more.',
        'Skip: leaves it out. The steps that build on it are blocked.',
        back.en,
        cancel.en,
      ]),
    },
    options: [
      ['retry', 'skip'],
      ['rollback', 'cancel'],
    ],
  },
  blocked: {
    what: { zh: '这一步依赖被跳过的步骤', en: 'This step builds on one that was left out' },
    help: {
      zh: lines(['重试：还是做被跳过的那一步。', '不管它：没有那一步的结果，接着做。', back.zh, anew.zh, cancel.zh]),
      en: lines([
        'Try again: does the step that was left out after all.',
        'Go on without it: does the rest without its result.',
        back.en,
        anew.en,
        cancel.en,
      ]),
    },
    options: [['retry', 'without'], ['rollback', 'restart'], ['cancel']],
  },
  between: {
    what: { zh: '下一步没能开始。', en: 'The next step could not begin.' },
    help: {
      zh: lines(['重试：再试一次。', back.zh, cancel.zh]),
      en: lines(['Try again: tries once more.', back.en, cancel.en]),
    },
    options: [['retry'], ['rollback', 'cancel']],
  },
  result: {
    what: {
      zh: '步骤都做完了，但最后的检查没有做成。',
      en: 'All steps are done, but the last check of them did not succeed.',
    },
    help: {
      zh: lines(['重试：再检查一次。', '跳过：按各步的结果直接交付。', back.zh, anew.zh, cancel.zh]),
      en: lines([
        'Try again: checks once more.',
        'Skip: gives you the results of the steps as they are.',
        back.en,
        anew.en,
        cancel.en,
      ]),
    },
    options: [['retry', 'skip'], ['rollback', 'restart'], ['cancel']],
  },
}
