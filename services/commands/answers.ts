// What presses on the bot's own buttons do: answer an edited message anew, show again what may not have arrived, rewrite the last
// answer. It decides which answers can be rewritten; that their buttons come and go is the executor's.
import { z } from 'zod'
import { depths } from '#shared/chat/decision.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { Answered, AnswerContext, Effect, Feature } from '#shared/feature.ts'
import { outBody } from '#shared/run/out-row.ts'
import type { Asked } from '#shared/run/question.ts'
import { say } from './say.ts'

/** Below this an answer is short already. */
const shortenFromChars = 400
/** Buttons under every line would annoy, and a longer version of more than a page helps nobody. */
const lengthenFromChars = 120
const lengthenToChars = 2000

/** `offersResize`: whether answers of the model carry buttons: shorter and longer, or continue. */
export function createAnswers(offersResize: boolean): Pick<Feature, 'answers' | 'under'> {
  const answers: Feature['answers'] = {
    redo: async ({ event }) => [{ kind: 'turn', text: event.payload }],
    'show-again': showAgain,
    resize,
    continue: goOn,
  }
  return offersResize ? { answers, under: offerUnder } : { answers }
}

async function showAgain({ event }: AnswerContext): Promise<readonly Effect[]> {
  const shown = outBody.or(z.array(outBody)).safeParse(JSON.parse(event.payload))
  return (shown.success ? [shown.data].flat() : []).flatMap((body): Effect[] => {
    if (body.kind !== 'send') return []
    const { replaces: _, replacesMessage: __, ...again } = body
    return [{ kind: 'show', body: again }]
  })
}

const offerUnder = (answered: Answered): Asked | undefined =>
  answered.unfinished ? offerContinue(answered) : offerResize(answered)

/** The payload is the depth to go on in. */
function offerContinue({ depth, language }: Answered): Asked {
  const choice = { id: 'continue', label: language === 'zh' ? '继续' : 'Continue' }
  return { question: 'continue', options: [[choice]], payload: depth }
}

/** The payload names who asked: whoever presses, the rewritten answer stays theirs. */
function offerResize({ text, depth, language, asker }: Answered): Asked | undefined {
  const canShorten = text.length >= shortenFromChars
  const canLengthen = depth !== 'deep' && text.length >= lengthenFromChars && text.length <= lengthenToChars
  const row = [
    ...(canShorten ? [{ id: 'shorter', label: language === 'zh' ? '短一点' : 'Shorter' }] : []),
    ...(canLengthen ? [{ id: 'longer', label: language === 'zh' ? '详细点' : 'Longer' }] : []),
  ]
  return row.length === 0 ? undefined : { question: 'resize', options: [row], payload: asker }
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

async function resize({ event, language, state }: AnswerContext): Promise<readonly Effect[]> {
  if (event.card !== state.lastCard || state.transcript.length === 0) {
    return say(
      language,
      '那个回答后面已经有了新的回复，请直接告诉我要改写什么。',
      'That answer is not my last one any more; tell me what to rewrite.',
    )
  }
  return [{ kind: 'turn', text: orders[event.choice === 'shorter' ? 'shorter' : 'longer'][language], rule: 'resize' }]
}

const goOnOrder: Localised = {
  zh: '请从你上一个回答断开的地方接着写，不要重复已经写过的内容。',
  en: 'Go on with your last answer from where it broke off, without repeating what you already wrote.',
}

async function goOn({ event, language, state }: AnswerContext): Promise<readonly Effect[]> {
  if (event.card !== state.lastCard || state.transcript.length === 0) {
    return say(
      language,
      '那个回答后面已经有了新的回复，请直接告诉我要接着写什么。',
      'That answer is not my last one any more; tell me what to go on with.',
    )
  }
  const depth = depths.find((known) => known === event.payload) ?? 'standard'
  return [{ kind: 'turn', text: goOnOrder[language], rule: 'continue', depth }]
}
