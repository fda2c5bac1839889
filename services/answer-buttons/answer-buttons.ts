// The buttons under an answer: Shorter and Longer have it rewritten, Continue goes on with one that broke off, Retry asks again what the model did not
// answer at all; where tools were used the recovery card asks (services/recovery). What is rewritten takes the
// answer's place where that stands in one message which the channel can change; else it comes as a new message. In a group, where taking buttons away
// costs all people one of few calls, answers have no Shorter and Longer until somebody turns them on. A chat can turn all of them off.
import { storable } from '#shared/feature/slice.ts'
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'
import type { AnswerEvent } from '#shared/chat/event.ts'
import { depths } from '#shared/chat/decision.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { AnswerContext, Replied, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import type { Setting } from '#shared/feature/setting.ts'
import type { Asked } from '#shared/run/question.ts'

/** Below this an answer is short already. */
const shortenFromChars = 400
/** Buttons under every line would annoy, and a longer version of more than a page helps nobody. */
const lengthenFromChars = 120
const lengthenToChars = 2000

type Own = z.infer<typeof own>
const own = z.object({ shown: z.boolean().optional() })

export const answerButtonsCapability: Capability<{ readonly usual: { readonly answerButtons: boolean } }> = {
  create: ({ usual }) => createAnswerButtons(usual.answerButtons),
}

/** `isShown`: whether any reply carries buttons. */
export function createAnswerButtons(isShown: boolean): Feature<Own, Own> {
  return {
    name: 'answer-buttons',
    slice: {
      schema: storable(own),
      fresh: {},
      fold: (_, change) => change,
      atRest: (slice) => slice,
    },
    settings: [shownSetting],
    questions: {
      rewrite: { answer: rewrite },
      continue: { answer: goOn },
      retry: { answer: askAgain },
    },
    under: (replied) => (isShown && replied.slice.shown !== false ? toQuestion(replied) : undefined),
  }
}

const shownSetting: Setting<Own, Own> = {
  id: 'buttons',
  label: { zh: '回答下的按钮', en: 'Buttons under answers' },
  entry: { section: 'Preferences', key: 'answerButtons' },
  holds: ({ slice }) => (slice.shown === undefined ? 'auto' : slice.shown ? 'on' : 'off'),
  choices: [
    { id: 'on', label: { zh: '开', en: 'on' }, change: { shown: true } },
    { id: 'off', label: { zh: '关', en: 'off' }, change: { shown: false } },
    {
      id: 'auto',
      label: { zh: '自动', en: 'automatic' },
      meaning: {
        zh: '群里的回答下面没有“短一点”和“详细点”。',
        en: 'In groups, answers have no Shorter and Longer.',
      },
      change: { shown: undefined },
    },
  ],
}

function toQuestion(replied: Replied<Own>): Asked | undefined {
  const { ending, unfinished, worked } = replied
  if (ending === 'answered' && unfinished) return askToContinue(replied)
  if (ending === 'answered') return replied.group && !replied.slice.shown ? undefined : askToRewrite(replied)
  if (worked) return undefined
  return unfinished ? askToContinue(replied) : askToRetry(replied)
}

function askToRetry({ language }: Replied<Own>): Asked {
  const choice = { id: 'retry', label: language === 'zh' ? '重试' : 'Retry' }
  return { question: 'retry', options: [[choice]], payload: '' }
}

/** The payload is the depth to go on in, and who asked. */
function askToContinue({ depth, language, asker }: Replied<Own>): Asked {
  const choice = { id: 'continue', label: language === 'zh' ? '继续' : 'Continue' }
  return { question: 'continue', options: [[choice]], payload: `${depth} ${asker}` }
}

/** The payload names who asked: whoever presses, the rewritten answer stays theirs. */
function askToRewrite({ text, depth, language, asker }: Replied<Own>): Asked | undefined {
  const canShorten = text.length >= shortenFromChars
  const canLengthen = depth !== 'deep' && text.length >= lengthenFromChars && text.length <= lengthenToChars
  const row = [
    ...(canShorten ? [{ id: 'shorter', label: language === 'zh' ? '短一点' : 'Shorter' }] : []),
    ...(canLengthen ? [{ id: 'longer', label: language === 'zh' ? '详细点' : 'Longer' }] : []),
  ]
  return row.length === 0 ? undefined : { question: 'rewrite', options: [row], payload: asker }
}

const orders = {
  shorter: {
    zh: '请把你上一个回答改写得更短：只留最要紧的内容，事实不变，只写出改写后的回答。',
    en: 'Rewrite your last answer shorter: keep what matters most and all facts right, and give only the rewritten answer.',
  },
  longer: {
    zh: '请把你上一个回答改写得更详细：补充说明和例子，事实不变，只写出改写后的回答。',
    en: 'Rewrite your last answer longer: add explanation and examples, keep the facts, and give only the rewritten answer.',
  },
}

async function rewrite({ event, language, state }: AnswerContext<Own>): Promise<readonly Effect<Own>[]> {
  if (event.card !== state.lastCard || state.exchanges === 0) {
    return say(
      language,
      '那个回答后面已经有了新的回复，请直接告诉我要改写什么。',
      'That answer is not my last one any more; tell me what to rewrite.',
    )
  }
  const text = orders[event.choice === 'shorter' ? 'shorter' : 'longer'][language]
  const asker = principalId.parse(event.payload)
  const what = event.choice === 'shorter' ? 'shorter' : 'longer'
  return [...toFeedback(event, what), { kind: 'turn', text, last: 'rewrite', asker }]
}

const goOnOrder: Localised = {
  zh: '请从你上一个回答断开的地方接着写，不要重复已经写过的内容。',
  en: 'Go on with your last answer from where it broke off, without repeating what you already wrote.',
}

/** As /retry does. */
async function askAgain({ event, language, state }: AnswerContext<Own>): Promise<readonly Effect<Own>[]> {
  if (event.card !== state.lastCard || !state.lastText)
    return say(
      language,
      '那个回答后面已经有了新的回复，请把问题再发一遍。',
      'That answer is not my last one any more; send me the question again.',
    )
  return [...toFeedback(event, 'redo'), { kind: 'turn', text: state.lastText }]
}

async function goOn({ event, language, state }: AnswerContext<Own>): Promise<readonly Effect<Own>[]> {
  if (event.card !== state.lastCard || state.exchanges === 0) {
    return say(
      language,
      '那个回答后面已经有了新的回复，请直接告诉我要接着写什么。',
      'That answer is not my last one any more; tell me what to go on with.',
    )
  }
  const [depth, asker] = z.tuple([z.enum(depths), principalId]).parse(event.payload.split(' ', 2))
  return [...toFeedback(event, 'continue'), { kind: 'turn', text: goOnOrder[language], last: 'continue', depth, asker }]
}

const toFeedback = ({ card }: AnswerEvent, what: string): readonly Effect<Own>[] =>
  card === undefined ? [] : [{ kind: 'feedback', what, on: { card } }]
