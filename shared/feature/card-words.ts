// The words of cards that ask people something, in both languages (seeds 001 §5.2, 000 §5.3 and §6.5).
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Urgency } from '#shared/run/question.ts'

export const kinds = ['checkpoint', 'choice', 'knowledge', 'action', 'approval', 'memory', 'rule', 'recovery'] as const
export type CardKind = (typeof kinds)[number]

/** What stands above a card that is open. */
export const heads: Readonly<Record<CardKind, Localised>> = {
  checkpoint: { zh: '检查点', en: 'Checkpoint' },
  choice: { zh: '请选择', en: 'Please choose' },
  knowledge: { zh: '我需要了解', en: 'I need to know' },
  action: { zh: '有一步我自己做不了', en: 'One step I cannot take myself' },
  approval: { zh: '需要你批准', en: 'This needs an approval' },
  memory: { zh: '要我记住吗？', en: 'Shall I remember this?' },
  rule: { zh: '要采用这条规则吗？', en: 'Shall this be a rule?' },
  recovery: { zh: '这里卡住了', en: 'I am stuck here' },
}

/** What these ask stands out in the card, and their head does not. */
export const asking: ReadonlySet<CardKind> = new Set(['choice', 'knowledge', 'action'])
/** What stands above these once they have ended. */
export const asked: Localised = { zh: '我问的是：', en: 'I asked:' }

/** What is usual is not said. */
export const urgencyNames: Readonly<Record<Urgency, Localised>> = {
  high: { zh: '紧急', en: 'urgent' },
  normal: { zh: '', en: '' },
  low: { zh: '不急', en: 'no hurry' },
}

export type CardWords = {
  /** The head where it is known what for. */
  readonly working: (task: string) => string
  readonly pros: string
  readonly cons: string
  /** Below options that have something for and against them. */
  readonly prefer: string
  readonly help: string
  /** The same where no button says that it is done. */
  readonly helpByReply: string
  readonly step: (step: number) => string
  readonly output: string
  readonly troubles: Readonly<Record<'understanding' | 'execution' | 'consistency', string>>
  readonly why: string
  /** `decide`: the button that leaves it to the bot, where there is one. */
  readonly otherwise: (decide: string) => string
}

export const cardWords: Readonly<Record<Language, CardWords>> = {
  zh: {
    working: (task) => `我在处理“${task}”时，需要了解`,
    pros: '优点：',
    cons: '缺点：',
    prefer: '你更倾向哪个？',
    help: '请帮我做这一步。做好后点按钮，或回复这条消息，告诉我结果。',
    helpByReply: '请帮我做这一步。做好后，回复这条消息，告诉我结果。',
    step: (step) => `第 ${step} 步做完了：`,
    output: '目前的结果：',
    troubles: {
      understanding: '我不能确定你的意思：',
      execution: '任务没有做完：',
      consistency: '前后的结果对不上：',
    },
    why: '为什么问：',
    otherwise: (decide) => `${decide === '' ? '如果' : `如果你按“${decide}”，或者`}到时没有人回答：`,
  },
  en: {
    working: (task) => `While I work on “${task}” I need to know`,
    pros: 'for: ',
    cons: 'against: ',
    prefer: 'Which of them do you prefer?',
    helpByReply: 'Please do it for me. When it is done, reply to this message with the result.',
    help: 'Please do it for me. When it is done, press the button, or reply to this message with the result.',
    step: (step) => `Step ${step} is done:`,
    output: 'What there is so far:',
    troubles: {
      understanding: 'I cannot be sure what you mean:',
      execution: 'The task is not finished:',
      consistency: 'The results do not fit together:',
    },
    why: 'Why I ask: ',
    otherwise: (decide) => `If ${decide === '' ? '' : `you press “${decide}”, or `}nobody answers in time: `,
  },
}
