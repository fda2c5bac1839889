// What a person never wants to be asked about: `/curiosity topics` lists it, and takes it back. The book knows a topic by hashes; its words are those of the
// question, a record that stays for this alone and goes with its messages, as it did while it waited.
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext } from '#shared/feature/feature.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { say } from '#shared/feature/say.ts'
import type { Asks } from '#shared/memory/asks.ts'
import { ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import { changeBook, findBook, isOfTopic, lift, toHash, type Book } from './book.ts'

type Deps = { readonly memory: MemoryStore; readonly desks: Desks }
type Effects = readonly StepEffect<never>[]

/** The newest are listed, and have words. */
const mostListed = 20
const inRow = 4
const mostChars = 120

type Closed = MemoryRecord & { readonly asks: Asks }

const newest = ({ never }: Book): readonly string[] => never.slice(-mostListed).toReversed()

const isClosed = (record: MemoryRecord): record is Closed => record.asks?.never === true

async function readClosed(memory: MemoryStore, principal: PrincipalId): Promise<readonly Closed[]> {
  const read = await memory.read(ofAsked(principal))
  return read === 'same' ? [] : read.records.filter(isClosed)
}

/** The question stays for its words alone. What has too many before it keeps none. Safe to repeat. */
export async function keepClosed({ memory, desks }: Deps, principal: PrincipalId, number: number): Promise<void> {
  const scope = ofAsked(principal)
  // What nobody confirmed fades.
  await memory.change(scope, number, (record) =>
    record.asks
      ? { ...record, status: 'confirmed', confirmedBy: principal, asks: { ...record.asks, never: true } }
      : undefined,
  )
  const kept = new Set(newest(await findBook(desks, principal)))
  const old = (await readClosed(memory, principal)).filter(({ asks }) => !kept.has(toHash(asks.key)))
  if (old.length > 0)
    await memory.drop(
      scope,
      old.map((one) => one.number),
    )
}

/** What the book closes no more waits to be asked again. Safe to repeat. */
export async function openAgain({ memory, desks }: Deps, principal: PrincipalId): Promise<void> {
  const { never } = await findBook(desks, principal)
  const lifted = (await readClosed(memory, principal)).filter(({ asks }) => !never.includes(toHash(asks.key)))
  for (const { number } of lifted)
    await memory.change(ofAsked(principal), number, (record) => (isClosed(record) ? toWaiting(record) : undefined))
  if (lifted.length > 0) await desks.wait(principal, 0)
}

function toWaiting(closed: Closed): MemoryRecord {
  const { confirmedBy: _, asks, ...record } = closed
  const { never: _never, ...rest } = asks
  return { ...record, status: 'unconfirmed', asks: rest }
}

type Told = Pick<CommandContext, 'principal' | 'language'>

/** `number`: which of them is lifted, as they are listed; undefined: none. */
export async function runTopics(
  deps: Deps,
  { principal, language, event }: Told & Pick<CommandContext, 'event'>,
  number: number | undefined,
): Promise<Effects> {
  if (event.group) return say(language, told.alone.zh, told.alone.en)
  if (number === undefined) return await listTopics(deps, { principal, language })
  const key = newest(await findBook(deps.desks, principal))[number - 1]
  if (key === undefined) return say(language, told.noSuch.zh, told.noSuch.en)
  return [await liftTopic(deps, { principal, language }, key)]
}

const listed = z.object({ v: z.literal(1), keys: z.array(z.string()).max(mostListed) })

async function listTopics({ memory, desks }: Deps, { principal, language }: Told): Promise<Effects> {
  const keys = newest(await findBook(desks, principal))
  if (keys.length === 0) return say(language, told.none.zh, told.none.en)
  const closed = await readClosed(memory, principal)
  const found = keys.map((key) => closed.find(({ asks }) => toHash(asks.key) === key))
  const lines = found.map((one, at) => `${at + 1}. ${toWords(one, language)}`)
  const buttons = keys.map((_, at) => ({ id: `t${at}`, label: `${told.allow[language]} ${at + 1}` }))
  const rows = Array.from({ length: Math.ceil(buttons.length / inRow) }, (_, row) =>
    buttons.slice(row * inRow, (row + 1) * inRow),
  )
  return [
    {
      kind: 'ask',
      question: 'topics',
      text: [told.head[language], lines.join('\n'), told.how[language]].join('\n\n'),
      options: rows,
      payload: JSON.stringify({ v: 1, keys }),
      silent: true,
      owner: principal,
      about: [],
      cameOf: found.flatMap((one) => one?.from ?? []),
    },
  ]
}

const toWords = (one: Closed | undefined, language: Language): string =>
  one ? toInertLine(one.text, mostChars) : told.gone[language]

/** A press below the list: what it has at that place, whatever was lifted since. */
export async function answerTopics(deps: Deps, { event, principal, language }: AnswerContext): Promise<Effects> {
  const { keys } = readStored('list of topics', listed, event.payload)
  const [, place = ''] = /^t(\d{1,2})$/u.exec(event.choice) ?? []
  const key = keys[Number(place)]
  if (key === undefined) return []
  return [{ ...(await liftTopic(deps, { principal, language }, key)), inPlace: true }]
}

type Send = Extract<StepEffect<never>, { kind: 'send' }>

/** All that is closed of the topic is lifted, since one of it would keep closing the other. Safe to repeat. */
async function liftTopic(deps: Deps, { principal, language }: Told, key: string): Promise<Send> {
  const { memory, desks } = deps
  const isOf = (one: string): boolean => one === key || isOfTopic(one, key) || isOfTopic(key, one)
  const words = (await readClosed(memory, principal)).filter(({ asks }) => isOf(toHash(asks.key)))
  await changeBook(desks, principal, (book) => lift(book, book.never.filter(isOf)))
  await openAgain(deps, principal)
  const text = [told.lifted[language], ...words.map((one) => `- ${toInertLine(one.text, mostChars)}`)].join('\n')
  return { kind: 'send', text, about: [], cameOf: words.flatMap(({ from }) => from) }
}

const told = {
  alone: { zh: '这个只在与我的私聊里给你看。', en: 'That is shown in the direct chat with me alone.' },
  none: { zh: '没有你让我别再问的话题。', en: 'There is nothing that I am never to ask you about.' },
  noSuch: {
    zh: '没有这个编号。用 `/curiosity 话题` 查看。',
    en: 'There is no such number. `/curiosity topics` lists them.',
  },
  head: { zh: '你让我别再问的：', en: 'What I never ask you about:' },
  how: {
    zh: '要恢复哪个，点它的按钮，或用 `/curiosity 话题 2 恢复`。',
    en: 'To lift one, press its button, or say `/curiosity topics 2 allow`.',
  },
  allow: { zh: '恢复', en: 'Allow' },
  gone: { zh: '（问题的内容已经忘掉了）', en: '(the words of the question are forgotten)' },
  lifted: { zh: '这个话题以后又可以问你了。', en: 'I may ask you about that again.' },
} as const satisfies Record<string, Localised>
