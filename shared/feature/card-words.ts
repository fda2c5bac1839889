// The words of cards that ask people something, in both languages (seeds 001 §5.2, 000 §5.3 and §6.5).
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Urgency } from '#shared/run/question.ts'

export const kinds = ['checkpoint', 'choice', 'knowledge', 'action', 'approval', 'memory', 'rule', 'recovery'] as const
export type CardKind = (typeof kinds)[number]

export const heads: Readonly<Record<CardKind, Localised>> = {
  checkpoint: { zh: '检查点', en: 'Checkpoint' },
  choice: { zh: '请你做个选择', en: 'Please choose' },
  knowledge: { zh: '想请你告诉我一件事', en: 'Something I need to know' },
  action: { zh: '需要你帮忙做一步', en: 'A step that I cannot take myself' },
  approval: { zh: '需要你批准', en: 'This needs an approval' },
  memory: { zh: '要我记住吗？', en: 'Shall I remember this?' },
  rule: { zh: '要采用这条规则吗？', en: 'Shall this be a rule?' },
  recovery: { zh: '这里卡住了', en: 'I am stuck here' },
}

export const urgencyNames: Readonly<Record<Urgency, Localised>> = {
  high: { zh: '紧急', en: 'urgent' },
  normal: { zh: '普通', en: 'normal' },
  low: { zh: '不急', en: 'no hurry' },
}

export type CardWords = {
  /** `task` is a line that may be empty. */
  readonly working: (task: string) => string
  readonly choosing: (count: number) => string
  readonly which: string
  readonly pros: string
  readonly cons: string
  readonly cannot: string
  readonly help: string
  readonly step: (step: number) => string
  readonly output: string
  readonly troubles: Readonly<Record<'understanding' | 'execution' | 'consistency', string>>
  readonly why: string
  /** `decide`: the button that leaves it to the bot, where there is one. */
  readonly otherwise: (decide: string) => string
}

export const cardWords: Readonly<Record<Language, CardWords>> = {
  zh: {
    working: (task) => (task === '' ? '我需要了解：' : `我在处理“${task}”时，需要了解：`),
    choosing: (count) => `我整理了 ${count} 个方案：`,
    which: '你更倾向哪个？',
    pros: '优点：',
    cons: '缺点：',
    cannot: '这个任务中有一步我无法完成：',
    help: '需要你帮我完成它。完成后，请回复这条消息，把结果告诉我。',
    step: (step) => `第 ${step} 步做完了：`,
    output: '目前的结果：',
    troubles: {
      understanding: '我不能确定你的意思：',
      execution: '有一步没有成功：',
      consistency: '前后的结果对不上：',
    },
    why: '为什么问：',
    otherwise: (decide) => `${decide === '' ? '如果' : `如果你按“${decide}”，或者`}到时没有人回答：`,
  },
  en: {
    working: (task) => (task === '' ? 'I need to know:' : `While I work on “${task}” I need to know:`),
    choosing: (count) => `These are the ${count} ways that I found:`,
    which: 'Which do you prefer?',
    pros: 'for: ',
    cons: 'against: ',
    cannot: 'One step of this task I cannot take:',
    help: 'Please do it for me. When it is done, reply to this message and tell me the result.',
    step: (step) => `Step ${step} is done:`,
    output: 'What there is so far:',
    troubles: {
      understanding: 'I cannot be sure what you mean:',
      execution: 'A step failed:',
      consistency: 'The results do not fit together:',
    },
    why: 'Why I ask: ',
    otherwise: (decide) => `If ${decide === '' ? '' : `you press “${decide}”, or `}nobody answers in time: `,
  },
}
