// /remember, and words that order the same: what somebody said is kept at once, as theirs, and the answer says so from what was written.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { memoryScope, mostRecordChars, ofAll, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import type { Written } from '#shared/memory/store.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { readInto, tellCollection, type Into } from './collections.ts'
import { toKind } from './kind.ts'
import { isPaused, pausedNote } from './pause.ts'
import { toLabel, toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { findRefusal } from './refuse.ts'
import { refusals } from './refusal-words.ts'
import { tellAgain, tellBehind, tellConflict, tellReplaced } from './replaced.ts'
import { toShown } from './words.ts'

type Effects = readonly StepEffect<never>[]

export const rememberCommand: CommandInfo = {
  name: 'remember',
  help: { zh: '记住一件事：/remember 我住在里昂', en: 'keep something: /remember I live in Lyon' },
  more: {
    zh: '`/remember 我住在里昂` 记住这句话，以后的会话也用得到；直接说“记住我住在里昂”也可以。群里记下的归这个群。`/remember in tool_experiences: …` 记进一个集合。`/memory` 列出记住的，`/forget 3` 忘掉第 3 条。',
    en: '`/remember I live in Lyon` keeps it for later talks, and so does “remember that I live in Lyon”. In a group it is kept for the group. `/remember in tool_experiences: …` writes into a collection. `/memory` lists what is kept, and `/forget 3` forgets number 3.',
  },
}

const undoLivesMs = 86_400_000
/** Only owners keep something for everybody. */
const forAll = /^(?:for (?:everyone|everybody|all)|给所有人|对所有人)\s*[:：]\s*/i

export async function remember(deps: MemoryDeps, context: CommandContext): Promise<Effects> {
  const { args, language, event, owner } = context
  const isForAll = forAll.test(args)
  const isCommand = /^\s{0,9}[/／]/u.test(event.text)
  const into = readInto(args.replace(forAll, '').trim(), isCommand)
  const text = into.text.trim().toWellFormed()
  if (text === '') return sayUsage(language)
  if (isForAll && !owner)
    return say(language, '只有主人可以为所有人记东西。', 'Only owners can keep something for everyone.')
  if (text.length > mostRecordChars)
    return say(
      language,
      `这有 ${text.length} 个字符，一条最多记 ${mostRecordChars} 个。请缩短，或分成几条。`,
      `That has ${text.length} characters, and one record keeps ${mostRecordChars}. Make it shorter, or split it.`,
    )
  const refusal = findRefusal(text, { group: event.group || isForAll })
  if (refusal) {
    const { zh, en } = refusals[refusal]
    return say(language, zh, en)
  }
  const scope = isForAll ? ofAll : toPlace({ ...context, group: event.group }).own
  const written = await deps.memory.write(scope, toRecord(context, { ...into, text }))
  const isQuiet = await isPaused(deps, context)
  return toAnswer(written, { ...into, text, scope, language, isQuiet })
}

function toRecord(
  { conversation, principal, event, state, about }: CommandContext,
  { text, collection }: Into,
): NewRecord {
  const name = event.group ? state.nameOf(principal) : undefined
  return {
    id: toEventId('said', conversation, event.id),
    kind: toKind(text),
    speaker: principal,
    ...(name === undefined ? {} : { name: name.slice(0, 100).toWellFormed() }),
    text,
    saidAt: event.at,
    status: 'confirmed',
    confirmedBy: principal,
    origin: 'said',
    from: [{ conversation, messages: [...about] }],
    ...(collection === undefined ? {} : { collection }),
  }
}

const sayUsage = (language: Language): Effects =>
  say(
    language,
    '要记住什么？例如 `/remember 我住在里昂`。`/memory` 列出已经记住的。',
    'What am I to keep? For example `/remember I live in Lyon`. `/memory` lists what I keep.',
  )

type Keeping = Into & {
  readonly scope: MemoryScope
  readonly language: Language
  readonly isQuiet: boolean
}

function toAnswer(written: Written, { text, collection, scope, language, isQuiet }: Keeping): Effects {
  if (written.kind === 'full')
    return say(
      language,
      '这里已经记满了。用 `/memory` 看看，用 `/forget 编号` 忘掉几条再记。',
      'There is no room for more here. Look at `/memory`, and forget some with `/forget` and a number.',
    )
  if (written.kind === 'gone')
    return say(language, '这条消息已被忘掉，没有记下。', 'That message is forgotten, and nothing was kept of it.')
  const label = toLabel(written.record, { own: scope })
  if (written.kind === 'repeat')
    return say(language, `这个我已经记着了，是第 ${label} 条。`, `I keep that already, as number ${label}.`)
  const { number, id } = written.record
  const quoted = toShown(text)
  const replaced = written.kind === 'conflict' ? [] : written.replaced.map((one) => one.number)
  const besides = written.kind === 'conflict' ? tellConflict(written.against, { scope, language }) : ''
  return [
    {
      kind: 'ask',
      question: 'kept',
      text:
        (language === 'zh'
          ? `记住了，第 ${label} 条${tellCollection(collection, language)}：“${quoted}”`
          : `Kept as number ${label}${tellCollection(collection, language)}: “${quoted}”`) +
        tellReplaced(replaced, { scope, language }) +
        tellBehind(written.record, { scope, language }) +
        besides +
        (isQuiet ? `\n\n${pausedNote[language]}` : ''),
      options: [[{ id: 'undo', label: language === 'zh' ? '撤销' : 'Undo' }]],
      payload: JSON.stringify({ scope, number, id, language, replaced }),
      topic: `memory ${id}`,
      deadlineMs: undoLivesMs,
    },
  ]
}

/** In the language in which it was kept: a press says none. `replaced`: the numbers whose place it took. */
const kept = z.object({
  scope: memoryScope,
  number: z.number(),
  id: z.string(),
  language: z.enum(languages),
  replaced: z.array(z.number()).default([]),
})

/** The press on *Undo*: of who had it kept. */
export async function undo(deps: MemoryDeps, { event }: AnswerContext): Promise<Effects> {
  const { scope, number, id, language, replaced } = kept.parse(JSON.parse(event.payload))
  // Of accounts that were linked meanwhile it has another number.
  const [record] = await deps.memory.findBy(scope, [id])
  const olders = (await deps.memory.find(scope, replaced)).filter((one) => one.supersededBy === record?.number)
  if (record) await deps.memory.drop(scope, [record.number])
  const now = await deps.memory.findBy(
    scope,
    olders.map((one) => one.id),
  )
  const back = now.filter((one) => one.supersededBy === undefined)
  const label = toLabel(record ?? { scope, number }, { own: scope })
  const text = record
    ? language === 'zh'
      ? `已撤销，第 ${label} 条没有记下。`
      : `Undone: number ${label} is not kept.`
    : language === 'zh'
      ? `第 ${label} 条已经不在了。`
      : `Number ${label} is not there any more.`
  const again = tellAgain(
    back.map((one) => one.number),
    { scope, language },
  )
  return [{ kind: 'send', text: text + again, inPlace: true, about: [] }]
}
