// /memory file: what is kept here as MEMORY.md; and the same text, changed by hand and sent back behind the command, which changes what is kept once its
// person has seen on a card what that does. In a direct chat it is what is kept for its person, in a group what is kept for the chat.
import type { Localised } from '#shared/chat/message.ts'
import { showDocument } from '#shared/feature/document.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, QuestionRule } from '#shared/feature/feature.ts'
import { peek } from '#shared/feature/kept.ts'
import { mayChange, sayNotAllowed } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { mostArtifactBytes } from '#shared/run/artifact.ts'
import { applyProposal, type Applied } from '#services/memory/file/apply.ts'
import { askToApply, tellLeft } from '#services/memory/file/card.ts'
import { findChanges, type Found } from '#services/memory/file/diff.ts'
import { findLanguage, printMemory, toDocument } from '#services/memory/file/print.ts'
import {
  mostChanges,
  mostWrites,
  payload,
  proposal as stored,
  toProposalName,
  type Proposal,
} from '#services/memory/file/proposal.ts'
import { readAll } from '#services/memory/file/read-all.ts'
import { mostFileLines, readMemory } from '#services/memory/file/read.ts'
import { tellApplied } from '#services/memory/file/receipt.ts'
import { toRefusal } from '#services/memory/file/refusal.ts'
import { collectionOf } from './collections.ts'
import { toKind } from './kind.ts'
import { toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { findRefusal } from './refuse.ts'
import { refusals } from './refusal-words.ts'
import { cameOf, toDay } from './words.ts'

type Effects = readonly StepEffect<never>[]

/** The file's name, or the text of one: alone it is asked for, with something behind it that is the file. */
const asks = /^(?:file|memory\.md|文件)(?![^\s#＃`~])/iu
const begins = /^(?:`{3}|~{3}|[#＃])/u

/** Whether `/memory` with this behind it is about the file, and whether it brings one. */
export const isMemoryFile = (args: string): boolean => asks.test(args.trim()) || begins.test(args.trim())
export const bringsFile = (args: string): boolean =>
  isMemoryFile(args) && toText(args) !== '' && readCollection(toText(args)) === undefined
const toText = (args: string): string => args.trim().replace(asks, '').trim()

/** `/memory file in tool_experiences`: that collection alone. */
const inCollection = /^(?:in|集合)\s{1,9}([a-z][a-z0-9_]{0,39})$/u
const readCollection = (text: string): string | undefined => inCollection.exec(text)?.[1]

/** Of a file that is given: of more, the newest. */
const mostChars = 200_000
/** What a message carries at most. */
const mostMessageChars = 32_000

const how: Localised = {
  zh: '要修改，就编辑下面的文字，贴在 `/memory file` 后面发回来，整份或只发改动的小节都行。我先给你看会改什么，你点了才算。`<!-- … -->` 这样的记号请留着，新加的行不用写。删掉的行，只有文件的最后一行也发回来时才会忘掉。',
  en: 'To change this, edit the text below and send it back behind `/memory file`: all of it, or the sections that you changed. I show what that changes, and do it once you press. Leave the signs `<!-- … -->` as they are; a new line needs none. A line that you take away is forgotten only if the file’s last line comes back, too.',
}
const inGroup: Localised = {
  zh: '在群里只有主人和管理员可以发回来。',
  en: 'In a group only owners and admins send it back.',
}

const captions = {
  own: { zh: '为你记住的。', en: 'What I keep for you.' },
  group: { zh: '为这个群记住的。', en: 'What I keep for this group.' },
} as const

/** With a file behind it, or without. */
export async function memoryFile(deps: MemoryDeps, context: CommandContext): Promise<Effects> {
  const { event, language } = context
  const text = toText(context.args)
  const collection = readCollection(text)
  if (collection !== undefined) return await showCollection(deps, context, collection)
  if (text !== '') return await takeFile(deps, context, text)
  if ((event.media?.length ?? 0) > 0) return say(language, unread.zh, unread.en)
  return await showFile(deps, context)
}

const unread: Localised = {
  zh: '发来的文件我读不了。请把其中的文字贴在 `/memory file` 后面；太长的话，只发改动的小节就行。',
  en: 'I cannot read files that are sent. Paste the text of it behind `/memory file`; where it is too long, the sections that you changed will do.',
}

/** What can be done with it comes before it, so that a copy of the message is the file alone. */
async function showFile(deps: MemoryDeps, context: CommandContext): Promise<Effects> {
  const { event, language } = context
  const { own: scope } = toPlace({ ...context, group: event.group })
  const toOwnDay = await findDay(deps, context)
  const { records, from } = await readAll(deps.memory, scope)
  const { document: made, printed, left } = toDocument({ scope, records, from, toDay: toOwnDay, mostChars })
  const hint = `${how[language]}${event.group ? `${language === 'zh' ? '' : ' '}${inGroup[language]}` : ''}`
  const shown = showDocument({
    name: 'MEMORY.md',
    text: printMemory(made, language, left),
    caption: event.group ? captions.group[language] : captions.own[language],
  })
  return [
    { kind: 'send', text: hint },
    shown.kind === 'send' ? { ...shown, cameOf: cameOf(printed.toReversed()) } : shown,
  ]
}

/** A collection has no last line: what is missing in it is forgotten by nobody. */
async function showCollection(deps: MemoryDeps, context: CommandContext, collection: string): Promise<Effects> {
  const { event, language } = context
  const { own: scope } = toPlace({ ...context, group: event.group })
  const all = await readAll(deps.memory, scope)
  const records = all.records.filter((one) => collectionOf(one) === collection)
  const toOwnDay = await findDay(deps, context)
  const { document: made, printed, left } = toDocument({ scope, records, from: all.from, toDay: toOwnDay, mostChars })
  if (printed.length === 0)
    return say(language, `\`${collection}\` 里没有记着什么。`, `Nothing is kept in \`${collection}\`.`)
  const shown = showDocument({
    name: `memory_${collection}.md`,
    text: printMemory({ lines: made.lines }, language, left),
    caption: language === 'zh' ? `${collection} 里记住的。` : `What I keep in ${collection}.`,
  })
  return [shown.kind === 'send' ? { ...shown, cameOf: cameOf(printed.toReversed()) } : shown]
}

async function findDay(deps: MemoryDeps, context: CommandContext): Promise<(ms: number) => string> {
  const zone = (await context.zone()) ?? deps.timeZone
  return (ms) => toDay(ms, zone)
}

async function takeFile(deps: MemoryDeps, context: CommandContext, text: string): Promise<Effects> {
  const { event, state } = context
  // What is kept is in whatever language: the file tells in which it was asked for.
  const language = state.language ?? findLanguage(text) ?? context.language
  if (!mayChange(event.group, context)) return sayNotAllowed(language)
  const read = event.truncated ? ({ kind: 'too-long' } as const) : readMemory(text)
  if (read.kind === 'too-long') return sayTooLong(language)
  const { own: scope } = toPlace({ ...context, group: event.group })
  const { records } = await readAll(deps.memory, scope)
  const found = findChanges(read, {
    scope,
    records,
    toDay: await findDay(deps, context),
    toKind,
    refuse(words) {
      const refusal = findRefusal(words, { group: event.group })
      return refusal && refusals[refusal]
    },
  })
  if (found.faults.length > 0) return [{ kind: 'send', text: toRefusal(found.faults, language) }]
  if (found.changes.length === 0) return sayNothing(found, language)
  const kept: Proposal = { v: 1, scope, event: event.id, about: context.about, changes: found.changes }
  const json = JSON.stringify(kept)
  const writes = found.changes.filter(({ op }) => op !== 'drop').length
  if (writes > mostWrites || found.changes.length > mostChanges || isTooBig(json)) return sayTooMany(writes, language)
  const name = toProposalName(event.id)
  return [
    { kind: 'artifact', name, text: json, source: 'person' },
    askToApply({ ...found, records }, { v: 1, language, name }),
  ]
}

const isTooBig = (json: string): boolean => new TextEncoder().encode(json).length > mostArtifactBytes

const sayTooLong = (language: CommandContext['language']) =>
  say(
    language,
    `太长了，什么都没有改。一条消息最多 ${mostMessageChars} 个字符，一份文件最多 ${mostFileLines} 行。请只发改动的小节：没有写到的都留着。`,
    `That is too long, and nothing was changed. A message has room for ${mostMessageChars} characters, and a file for ${mostFileLines} lines. Send the sections that you changed alone: what they leave out stays.`,
  )

const sayTooMany = (writes: number, language: CommandContext['language']) =>
  say(
    language,
    `一次最多改和新记 ${mostWrites} 条，这里有 ${writes} 条，什么都没有改。请分几次发。`,
    `At most ${mostWrites} lines are new or changed at a time, and here are ${writes}. Nothing was changed: send it in parts.`,
  )

function sayNothing(found: Pick<Found, 'stale' | 'missing' | 'isOutdated'>, language: CommandContext['language']) {
  const head =
    language === 'zh'
      ? '里面写的和现在记着的一样，没有要改的。'
      : 'All that it says is kept already; there is nothing to change.'
  const text = [head, ...tellLeft(found, language)].join('\n\n')
  return [{ kind: 'send', text }] as const
}

/** The press on the card, and its end without one. */
export const createFileQuestion = (deps: MemoryDeps): QuestionRule => ({
  answer: (context) => answer(deps, context),
  async expired({ event }) {
    const { language, name } = payload.parse(JSON.parse(event.payload))
    const text = language === 'zh' ? '没有应用，都和原来一样。' : 'It was not applied: all is as it was.'
    return [
      { kind: 'send', text, inPlace: true, about: [] },
      { kind: 'drop-artifact', name },
    ]
  },
})

async function answer(deps: MemoryDeps, context: AnswerContext): Promise<Effects> {
  const { event } = context
  const { language, name } = payload.parse(JSON.parse(event.payload))
  const isChinese = language === 'zh'
  const end = (text: string): Effects => [
    { kind: 'send', text, inPlace: true, about: [] },
    { kind: 'drop-artifact', name },
  ]
  if (event.choice !== 'apply') return end(isChinese ? '好，都和原来一样。' : 'All right, all is as it was.')
  const found = await context.findArtifact(name)
  if (!found)
    return end(isChinese ? '这份文件已经不在了，请再发一次。' : 'That file is not there any more. Send it again.')
  const person = context.state.nameOf(context.principal)
  const who = {
    principal: context.principal,
    ...(person === undefined ? {} : { name: person }),
    conversation: context.conversation,
    atMs: event.at,
  }
  // What comes out of a kept text are numbers alone.
  const applied: Applied = await peek([found], async ([json = '']) =>
    applyProposal(deps.memory, stored.parse(JSON.parse(json)), who),
  )
  return end(tellApplied(applied, language))
}
