// Sources, under an answer in a direct chat: what of memory the answer was given, and what its person may do with each of that. In a group /why tells
// the numbers alone. Whether the model made use of each of them nobody knows, and the card says so.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, Asking, Replied } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { memoryScope, mostRecordChars, ofAll, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import type { Asked } from '#shared/run/question.ts'
import { isAnswered, tellWhen } from './answers.ts'
import { readFacts } from './part.ts'
import { toLabel } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { tellReplaced } from './replaced.ts'
import { rewrite } from './rewrite.ts'
import { cameOf, describe, toShown } from './words.ts'

type Shown = Pick<Asking, 'principal' | 'language' | 'zone'>
type Effects = readonly StepEffect<never>[]

const mostShown = 5
const livesMs = 86_400_000

/** How people want to be answered is given to every prompt, and is no source. */
export function underAnswer({ given, group, ending, language, asker }: Replied): Asked | undefined {
  if (group || ending !== 'answered') return undefined
  const items = toItems(given, asker)
  if (items.length === 0) return undefined
  const choice = { id: 'show', label: language === 'zh' ? '来源' : 'Sources' }
  const payload: Payload = { v: 1, language, items }
  return { question: 'sources', options: [[choice]], payload: JSON.stringify(payload) }
}

/** `given`: why its parts of the prompt were given. */
function toItems(given: readonly string[], asker: string): Item[] {
  const own = ofPerson(asker)
  return given
    .flatMap(readFacts)
    .flatMap(({ mark, number }) => (mark === 'p' ? [] : [{ scope: mark === 'g' ? ofAll : own, number }]))
    .slice(0, mostShown)
}

/** The same card for an answer that somebody calls wrong; nothing where it was given none. */
export async function offerSources(deps: MemoryDeps, context: Shown, given: readonly string[]): Promise<Effects> {
  const { language, principal } = context
  const items = toItems(given, principal)
  return items.length === 0 ? [] : await toCard(deps, context, { v: 1, language, items }, false)
}

/** The right words of a record, for a press. */
export function offerWords({ record, words: said, language }: Right): Effects {
  const { scope, number, id } = record
  const isChinese = language === 'zh'
  const label = toLabel(record, { own: scope })
  const [before, after] = [toShown(record.text), toShown(said)]
  const payload: Payload = { v: 1, language, items: [{ scope, number, id }], corrects: number, words: said }
  return [
    {
      kind: 'ask',
      question: 'source',
      text: isChinese
        ? `第 ${label} 条现在是：“${before}”\n要改成这样吗？“${after}”`
        : `Number ${label} says: “${before}”\nShall I correct it to: “${after}”?`,
      options: [
        [
          { id: 'take', label: isChinese ? '改正' : 'Correct' },
          { id: 'leave', label: isChinese ? '不改' : 'Leave it' },
        ],
      ],
      payload: JSON.stringify(payload),
      topic: 'memory sources',
      deadlineMs: livesMs,
      cameOf: cameOf([record]),
    },
  ]
}
type Right = { readonly record: MemoryRecord; readonly words: string; readonly language: Language }

const states = ['unfit', 'forgotten', 'corrected'] as const
const item = z.object({
  scope: memoryScope,
  number: z.number().int(),
  /** Once it was shown: linking gives records other numbers. */
  id: z.string().max(120).exactOptional(),
  done: z.enum(states).exactOptional(),
})
const payload = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  /** The row of the answer, once it is shown. */
  answer: z.string().exactOptional(),
  items: z.array(item).max(mostShown),
  /** The right words of this one are asked for. */
  corrects: z.number().int().exactOptional(),
  /** They are said already: a press takes them. */
  words: z.string().max(mostRecordChars).exactOptional(),
})
type Item = z.infer<typeof item>
type Payload = z.infer<typeof payload>

export async function showSources(deps: MemoryDeps, context: AnswerContext): Promise<Effects> {
  const { event } = context
  const at = payload.parse(JSON.parse(event.payload))
  return await toCard(deps, context, { ...at, ...(event.card === undefined ? {} : { answer: event.card }) }, false)
}

/** A press on the card, or the words that it asked for. */
export async function answerSource(deps: MemoryDeps, context: AnswerContext): Promise<Effects> {
  const { event } = context
  const { corrects, words: right, ...at } = payload.parse(JSON.parse(event.payload))
  if (corrects !== undefined && event.choice === '') return await correct(deps, context, { at, number: corrects })
  if (corrects !== undefined && right !== undefined)
    return event.choice === 'take'
      ? await correct(deps, { ...context, event: { ...event, words: right } }, { at, number: corrects })
      : [{ kind: 'send', text: words.leaves[at.language], inPlace: true }]
  const [what = '', place = ''] = event.choice.split('-')
  const chosen = at.items[Number(place)]
  const record = chosen && (await findOne(deps, chosen))
  if (!chosen || !record || what === 'back') return await toCard(deps, context, at, true)
  if (what === 'correct') return [toWordsCard(at, record, { number: chosen.number, inPlace: true })]
  if (what === 'forget') {
    await deps.memory.drop(record.scope, [record.id], 'for-good')
    return await toCard(deps, context, markDone(at, chosen, 'forgotten'), true)
  }
  await deps.memory.change(record.scope, record.number, (before) => ({ ...before, unfit: (before.unfit ?? 0) + 1 }))
  const told: Effects =
    at.answer === undefined ? [] : [{ kind: 'feedback', what: 'source-unfit', on: { card: at.answer } }]
  return [...told, ...(await toCard(deps, context, markDone(at, chosen, 'unfit'), true))]
}

async function findOne({ memory }: MemoryDeps, { scope, number, id }: Item): Promise<MemoryRecord | undefined> {
  const [record] = id === undefined ? await memory.find(scope, [number]) : await memory.findBy(scope, [id])
  return record
}

const markDone = (at: Payload, chosen: Item, done: (typeof states)[number]): Payload => ({
  ...at,
  items: at.items.map((one) => (one.scope === chosen.scope && one.number === chosen.number ? { ...one, done } : one)),
})

async function correct(
  deps: MemoryDeps,
  context: AnswerContext,
  { at, number }: { readonly at: Payload; readonly number: number },
): Promise<Effects> {
  const { language } = at
  const chosen = at.items.find((one) => one.number === number && one.scope !== ofAll)
  // A worker died after it was written: the same words come again.
  const made = toEventId('said', context.event.conversation, context.event.id)
  const record = chosen && ((await findOne(deps, chosen)) ?? (await findOne(deps, { ...chosen, id: made })))
  if (!chosen || !record) return say(language, '这一条已经不在了。', 'That one is not there any more.')
  const written = await rewrite(deps, record, context)
  if (written.kind === 'refused')
    return [{ kind: 'send', text: written.why[language] }, toWordsCard(at, record, { number, inPlace: false })]
  if (written.kind === 'gone')
    return say(language, '这条消息已被忘掉，没有记下。', 'That message is forgotten, and nothing was kept of it.')
  const label = toLabel(written.record, { own: record.scope })
  const quoted = toShown(written.record.text)
  const others = written.replaced.filter((one) => one !== record.number)
  const text = language === 'zh' ? `改好了，第 ${label} 条：“${quoted}”` : `Corrected, number ${label}: “${quoted}”`
  const said: StepEffect<never> = {
    kind: 'send',
    text: text + tellReplaced(others, { scope: record.scope, language }),
    inPlace: context.event.choice !== '',
    // Words that repeat another record are quoted as that one has them.
    cameOf: cameOf([written.record]),
  }
  const next = markDone(at, chosen, 'corrected')
  return next.items.every(({ done }) => done) ? [said] : [said, ...(await toCard(deps, context, next, false))]
}

type Wish = { readonly number: number; readonly inPlace: boolean }

/** `number`: as the card names it. */
function toWordsCard(at: Payload, record: MemoryRecord, { number, inPlace }: Wish): StepEffect<never> {
  const { language } = at
  const said = toShown(record.text)
  return {
    kind: 'ask',
    question: 'source',
    text:
      language === 'zh'
        ? `回复这条消息，写下正确的说法。现在是：“${said}”`
        : `Reply to this with the right words. Now it says: “${said}”`,
    options: [[{ id: 'back', label: language === 'zh' ? '返回' : 'Back' }]],
    payload: JSON.stringify({ ...at, corrects: number }),
    topic: 'memory sources',
    words: true,
    ...(inPlace ? { again: true } : {}),
    deadlineMs: livesMs,
    inPlace,
    cameOf: cameOf([record]),
  }
}

/** What is for all is shown alone: owners change it by /memory. */
async function toCard(deps: MemoryDeps, context: Shown, at: Payload, inPlace: boolean): Promise<Effects> {
  const { language } = at
  const found = await Promise.all(at.items.map(async (one) => ({ one, record: await findOne(deps, one) })))
  const zone = (await context.zone()) ?? deps.timeZone
  const lines = found.map(({ one, record }) =>
    toLine({ one, record }, { language, zone, principal: context.principal }),
  )
  const open = found.flatMap(({ one, record }, place) =>
    record && one.scope !== ofAll && one.done === undefined ? [{ place, number: one.number }] : [],
  )
  const { head, limit } = words
  const text = `${[head[language], ...lines].join('\n')}\n\n${limit[language]}`
  const records = found.flatMap(({ record }) => record ?? [])
  if (open.length === 0) return [{ kind: 'send', text, inPlace, cameOf: cameOf(records) }]
  const rows = open.map(({ place, number }) =>
    actions.map(({ id, zh, en }) => {
      const label = language === 'zh' ? zh : en
      return { id: `${id}-${place}`, label: found.length > 1 ? `${label} ${number}` : label }
    }),
  )
  // What is pressed is what was seen.
  const items = found.map(({ one, record }) => (record ? { ...one, id: record.id } : one))
  const ask = { kind: 'ask', question: 'source', options: rows, payload: JSON.stringify({ ...at, items }) } as const
  return [{ ...ask, text, topic: 'memory sources', deadlineMs: livesMs, inPlace, cameOf: cameOf(records) }]
}

const actions = [
  { id: 'correct', zh: '改正', en: 'Correct' },
  { id: 'unfit', zh: '无关', en: 'Not relevant' },
  { id: 'forget', zh: '忘掉', en: 'Forget' },
] as const

const words = {
  head: { zh: '写这个回答时，给了模型这些记忆：', en: 'For this answer the model was given, of what I keep:' },
  limit: { zh: '它用没用上，我看不出来。', en: 'Whether it used each of them I cannot tell.' },
  leaves: { zh: '好，不改。', en: 'All right, I leave it as it is.' },
  gone: { zh: '已经不在了', en: 'not there any more' },
  unfit: { zh: '以后少用', en: 'will be given less' },
  forgotten: {
    zh: '已忘掉；说它的那条消息还在聊天里，用 /forget 回复那条消息可一并忘掉',
    en: 'forgotten; the message that said it is still in the chat: reply to that with /forget to forget it too',
  },
  corrected: { zh: '已改正', en: 'corrected' },
  asked: { zh: '对我的问题的回答：', en: 'what was answered to my question: ' },
} as const

type Found = { readonly one: Item; readonly record: MemoryRecord | undefined }
type How = { readonly language: Language; readonly zone: string; readonly principal: string }

function toLine({ one, record }: Found, { language, zone, principal }: How): string {
  const label = toLabel(one, { own: one.scope })
  if (!record) return `- **${label}** ${words[one.done ?? 'gone'][language]}`
  const done = one.done === undefined ? '' : ` · ${words[one.done][language]}`
  const when = isAnswered(record) ? ` · ${words.asked[language]}${tellWhen(record, language, zone)}` : ''
  return `- **${label}** ${toShown(record.text)}\n  ${describe(record, { principal, language, zone })}${when}${done}`
}
