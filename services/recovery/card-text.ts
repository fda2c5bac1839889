// What a recovery card says, what its buttons are called, and what the turn is told that a press begins (seed 000 §6.5). Pure.
import { endCard, renderCard } from '#shared/feature/card.ts'
import { toPlainLine } from '#shared/feature/inert.ts'
import { toChosen } from '#shared/feature/who-answered.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { EndedTurn } from '#shared/feature/feature.ts'
import type { FailedCall } from '#shared/feature/left.ts'
import type { Choice } from '#shared/run/question.ts'

export const troubles = ['understanding', 'execution', 'consistency'] as const
export type Trouble = (typeof troubles)[number]

/** `does`: what the button says of itself on the card. */
export type Order = {
  readonly id: string
  readonly label: Localised
  readonly does: Localised
  readonly order: Localised
}

/** `order` stands in the turn as its person's words. */
export const orders: Readonly<Record<Trouble, readonly Order[]>> = {
  understanding: [
    {
      id: 'clarify',
      label: { zh: '澄清', en: 'Clarify' },
      does: { zh: '我说明卡在哪里，问你一个问题', en: 'I say where I am stuck and ask you one question' },
      order: {
        zh: '先不要调用工具。请说明你卡在哪里、还缺什么信息，只问我一个问题。',
        en: 'Do not use tools now. Tell me where you are stuck and what you need to know, and ask me one question.',
      },
    },
    {
      id: 'assume',
      label: { zh: '假设继续', en: 'Assume and go on' },
      does: { zh: '我写明一个假设，按它接着做', en: 'I state an assumption and go on by it' },
      order: {
        zh: '请写明一个合理的假设，按它从最后完成的一步接着做；已经完成的步骤不要重复。',
        en: 'State a sensible assumption and go on by it after the last step that is done; repeat nothing that is done.',
      },
    },
  ],
  execution: [
    {
      id: 'retry',
      label: { zh: '重试', en: 'Retry' },
      does: { zh: '我从这里接着做，失败的再试一次', en: 'I go on from there and try again what failed' },
      order: {
        zh: '请从最后完成的一步接着做；已经完成的步骤不要重复，失败的那一步原样再试。',
        en: 'Go on after the last step that is done; repeat nothing that is done, and try what failed again just as it was.',
      },
    },
    {
      id: 'skip',
      label: { zh: '跳过', en: 'Skip' },
      does: {
        zh: '失败的不做了，我接着做其余的，最后告诉你少了什么',
        en: 'I leave out what failed, do the rest, and tell you what is missing',
      },
      order: {
        zh: '请跳过失败的那一步，接着做其余的；已经完成的步骤不要重复，最后说明少了什么。',
        en: 'Leave out the step that failed and go on with the rest; repeat nothing that is done, and say at the end what is missing.',
      },
    },
  ],
  consistency: [
    {
      id: 'review',
      label: { zh: '检查之前步骤', en: 'Review the steps' },
      does: {
        zh: '我什么都不改，告诉你哪些做完了、卡在哪里',
        en: 'I change nothing, and tell you what is done and where I am stuck',
      },
      order: {
        zh: '请检查之前的步骤，不要再改动任何东西：哪些已经完成，哪里在原地打转，接下来该怎么做。',
        en: 'Review the steps so far and change nothing: what is done, where you went in circles, and how to go on.',
      },
    },
    {
      id: 'restart',
      label: { zh: '重新开始', en: 'Begin anew' },
      does: { zh: '我换一种做法做这个任务', en: 'I do this task in another way' },
      order: {
        zh: '请换一种做法重新开始这个任务；已经生效的改动不要再做一遍。',
        en: 'Begin this task anew in another way; changes that took effect are not to be made a second time.',
      },
    },
  ],
}

export const toOptions = (trouble: Trouble, language: Language): readonly (readonly Choice[])[] => [
  orders[trouble].map(({ id, label }) => ({ id, label: label[language] })),
]

const heads: Readonly<Record<Trouble, Localised>> = {
  understanding: {
    zh: '我没弄明白该怎么做，所以停了下来。',
    en: 'I could not work out how to do this, and stopped.',
  },
  execution: { zh: '任务没有做完。', en: 'The task is not finished.' },
  consistency: { zh: '我在原地打转，所以停了下来。', en: 'I went in circles, and stopped.' },
}
const words = {
  task: { zh: '任务：', en: 'Task: ' },
  done: { zh: '已经完成：', en: 'Done so far: ' },
  failed: { zh: '失败过：', en: 'Failed: ' },
  step: { zh: '失败的调用：', en: 'The call: ' },
  reason: { zh: '原因：', en: 'The reason: ' },
  otherwise: {
    zh: '一切保持现状；按钮 30 天后消失。',
    en: 'all stays as it is. The buttons go after 30 days.',
  },
  how: { zh: '已经完成的不会重做。', en: 'What is done is not done again.' },
} as const satisfies Readonly<Record<string, Localised>>

const mostTaskChars = 160
const mostNames = 8

type Ended = Pick<EndedTurn, 'language' | 'tools' | 'ending' | 'failed'> & {
  readonly trouble: Trouble
  readonly task: string
}

/** What happened, in lines: why it ended, what was asked, what is done and what failed. */
export function toMatter(ended: Ended): string {
  const { language, trouble, task, tools, failed, ending } = ended
  const lost = tools.filter(({ ok }) => !ok)
  const detail = failed && lost.some(({ name }) => name === failed.name) ? toDetail(failed, language) : undefined
  // The first line names it already.
  const isNamed = ending === 'limit:identical-calls' && lost.every(({ name }) => name === lost[0]?.name)
  const short = task.length > mostTaskChars ? `${task.slice(0, mostTaskChars - 1)}…` : task
  return [
    trouble === 'execution' ? toCause(ended) : heads[trouble][language],
    ...(task === '' ? [] : [`${words.task[language]}${short.replaceAll(/\s+/g, ' ').toWellFormed()}`]),
    ...toCounts(
      words.done[language],
      tools.filter(({ ok }) => ok),
      language,
    ),
    ...(detail && isNamed ? [] : toCounts(words.failed[language], lost, language)),
    ...(detail === undefined ? [] : [detail]),
  ].join('\n')
}

/** What the step would have done, and why it failed. */
function toDetail({ what, reason }: FailedCall, language: Language): string {
  const parts = [
    ...(what === undefined ? [] : [`${words.step[language]}${toPlainLine(what, 200)}`]),
    ...(reason === '' ? [] : [`${words.reason[language]}${toPlainLine(reason, 160)}`]),
  ]
  return parts.join('\n')
}

/** Which step failed, or which limit ended it. */
function toCause({ language, ending, tools }: Ended): string {
  if (ending === 'limit:identical-calls') {
    const name = (tools.findLast(({ ok }) => !ok)?.name ?? '').slice(0, 40)
    return { zh: `失败的一步：${name}，再试也没有成功。`, en: `What failed: ${name}, again and again.` }[language]
  }
  const limit = Object.entries(limits).find(([name]) => ending === `limit:${name}`)?.[1]
  return (limit ?? (ending.startsWith('limit:') ? someLimit : noReply))[language]
}
const limits: Readonly<Record<string, Localised>> = {
  steps: { zh: '到了一个回答的步骤上限。', en: 'I reached the limit of steps for one answer.' },
  'tool-calls': { zh: '到了一个回答的工具调用上限。', en: 'I reached the limit of tool calls for one answer.' },
  tokens: { zh: '到了一个回答的 token 上限。', en: 'I reached the limit of tokens for one answer.' },
  money: { zh: '这个回答花的钱到了上限。', en: 'I reached the limit of money for one answer.' },
  quiet: { zh: '主人让我什么都不自动做。', en: 'An owner has me do nothing by myself.' },
  'wall-time': { zh: '到了一个回答的时间上限。', en: 'I reached the time limit for one answer.' },
}
const someLimit: Localised = { zh: '到了一个回答的上限。', en: 'I reached a limit for one answer.' }
const noReply: Localised = { zh: '失败的一步：模型没有给出回答。', en: 'What failed: the model gave no answer.' }

/** What a list of open questions says of it. */
export const toTitle = (trouble: Trouble, task: string, language: Language): string =>
  toPlainLine([heads[trouble][language], task].join(language === 'zh' ? '' : ' '), 200)

/** A model may have made the names up. */
function toCounts(what: string, tools: Ended['tools'], language: Language): string[] {
  const counts = new Map<string, number>()
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1)
  if (counts.size === 0) return []
  const named = [...counts].slice(0, mostNames).map(([name, count]) => `${name.slice(0, 40)} ×${count}`)
  return [`${what}${named.join(language === 'zh' ? '、' : ', ')}${counts.size > mostNames ? ' …' : ''}`]
}

export const toCard = (what: string, trouble: Trouble, language: Language): string =>
  renderCard(
    {
      kind: 'recovery',
      trouble,
      what,
      urgency: 'normal',
      otherwise: words.otherwise[language],
      how: toHow(trouble, language),
    },
    language,
  )

/** What each button does. */
function toHow(trouble: Trouble, language: Language): string {
  const lines = orders[trouble].map(({ label, does }) =>
    language === 'zh' ? `- “${label.zh}”：${does.zh}。` : `- “${label.en}”: ${does.en}.`,
  )
  return [lines.join('\n'), words.how[language]].join('\n\n')
}

/** The card once somebody has chosen. */
export const toEnded = (what: string, { who, order }: { who: string; order: Order }, language: Language): string =>
  endCard('recovery', { asked: what, end: toChosen(who, order.label[language], language) }, language)
