// /memory: what is kept here on a card with buttons, by what is asked for; one record with where it comes from; its confirmation; and /forget with its number.
import type { Language } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { mayChange, sayNotAllowed } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { ofAll, type MemoryRecord } from '#shared/memory/record.ts'
import { asMessage, isPlain } from './as-message.ts'
import { toList, toOnCard, type Effects } from './card-list.ts'
import { toRecordCard } from './card-record.ts'
import { listCollections, readIn } from './collections.ts'
import { isForAdmins } from './anchor-words.ts'
import { findKept, type FindDeps } from './find-kept.ts'
import { keepPrivate, readPrivate } from './in-private.ts'
import { askToForgetThis, type ForgetDeps } from './forget-words.ts'
import { mostFindChars, type Look } from './on-card.ts'
import { isPaused, pause, pausedNote, readPause } from './pause.ts'
import { isMemoryFile, memoryFile } from './memory-file.ts'
import { readLabel, toLabel, toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { readWrong, showWrong, type WrongDeps } from './wrong.ts'

export const memoryCommand: CommandInfo = {
  name: 'memory',
  help: { zh: '我记住的：/memory，或 /memory 查 茶', en: 'what I keep: /memory, or /memory find tea' },
  more: {
    zh: '`/memory` 列出这里记住的：按编号打开一条，可以改、忘掉、置顶、允许在群里用。`/memory 2` 是第 2 页，`/memory 查 茶` 查找，`/memory 最近` 最新的在前，`/memory 待办` 列出待办，`/memory 待确认` 列出还没有确认的。`/memory why 3` 说明第 3 条是谁什么时候说的，`/memory keep 3` 确认第 3 条，`/forget 3` 忘掉第 3 条。`/memory in` 列出集合，`/memory in tool_experiences 词` 在其中一个里查找。`/memory file` 给出文件 MEMORY.md，改好后贴在 `/memory file` 后面发回来。`/memory 暂停` 之后，你说的我不再留意；`/memory 继续` 恢复。',
    en: '`/memory` lists what is kept here: a number opens one of it, to edit, forget or pin it, or to allow it in groups. `/memory 2` is its second page, `/memory find tea` looks for words, `/memory recent` has the newest first, `/memory todos` lists what is to be done, and `/memory waiting` what is not confirmed. `/memory why 3` tells who said number 3, and when, `/memory keep 3` confirms it, and `/forget 3` forgets it. `/memory in` lists the collections, and `/memory in tool_experiences words` looks in one. `/memory file` gives all of it as the file MEMORY.md: change that, and send it back behind `/memory file`. After `/memory pause` I notice nothing of what you say; `/memory resume` lifts that.',
  },
  admins: 'may-ask',
}

const why = /^(?:why|为什么|来源)\s*/i
const keep = /^(?:keep|确认|保留)\s*/i
const find = /^(?:(?:find|search|look for)(?:\s+|$)|查找|搜索|[查找搜]\s*)/i

const looks: Readonly<Record<string, Look['kind']>> = {
  all: 'all',
  全部: 'all',
  recent: 'recent',
  newest: 'recent',
  最近: 'recent',
  最新: 'recent',
  todo: 'todos',
  todos: 'todos',
  'to do': 'todos',
  待办: 'todos',
  waiting: 'waiting',
  待确认: 'waiting',
  未确认: 'waiting',
  等确认: 'waiting',
}

type ListDeps = FindDeps & WrongDeps

/** Whether nothing is changed by it but choices, so that it is answered at once. */
export const onlyLooks = (args: string): boolean =>
  readWrong(args) === undefined && readPrivate(args.trim()) === undefined && readAbout(args.trim()) === undefined

const about = /^(?:about|关于)\s+/iu
/** What somebody asks about in plain words: it is found more strictly than typed words, since the question may be meant for the model. */
const readAbout = (args: string): string | undefined => (about.test(args) ? args.replace(about, '') : undefined)

export async function list(deps: ListDeps, context: CommandContext): Promise<readonly Effect<never>[]> {
  const args = context.args.trim()
  if (isMemoryFile(args)) return await memoryFile(deps, context)
  const right = readWrong(args)
  if (right !== undefined) return await showWrong(deps, context, right)
  const hidden = readPrivate(args)
  if (hidden !== undefined) return await keepPrivate(deps, context, hidden)
  const wish = readPause(args)
  if (wish) return await pause(deps, context, wish)
  if (why.test(args)) return await explain(deps, context, args.replace(why, ''))
  if (keep.test(args)) return await confirm(deps, context, args.replace(keep, ''))
  const inside = readIn(args)
  if (inside === 'counts') return await listCollections(deps, context)
  if (inside === 'unclear') return sayUsage(context.language)
  const topic = readAbout(args)
  if (topic !== undefined && isPlain(context) && !(await keeps(deps, context, topic))) return asMessage(context)
  const look = inside ?? readLook(topic === undefined ? args : `find ${topic}`)
  const page = look || args === '' ? 1 : Number(args)
  if (!Number.isInteger(page) || page < 1 || page > mostPages) return sayUsage(context.language)
  const note = (await isPaused(deps, context)) ? { note: pausedNote[context.language] } : {}
  return await toList(deps, context, toOnCard(context, look ?? { kind: 'all' }, page), { inPlace: false, ...note })
}

async function keeps(deps: ListDeps, context: CommandContext, words: string): Promise<boolean> {
  const { own } = toPlace({ ...context, group: context.event.group })
  return (await findKept(deps, own, words)).some(({ kind }) => kind !== 'skill')
}

const mostPages = 10_000

/** Undefined for what is no wish to look in some way. */
function readLook(args: string): Look | undefined {
  const kind = looks[args.toLowerCase()]
  if (kind) return { kind }
  const words = find.test(args)
    ? args
        .replace(find, '')
        .replace(/^[:：]/, '')
        .trim()
    : ''
  return words === '' ? undefined : { kind: 'find', words: words.slice(0, mostFindChars).toWellFormed() }
}

const sayUsage = (language: Language): Effects =>
  say(
    language,
    '可以写：`/memory`、`/memory 2`、`/memory 查 茶`、`/memory 最近`、`/memory 待办`、`/memory 待确认`、`/memory why 3`、`/memory keep 3`、`/memory in tool_experiences`、`/memory file`、`/memory 暂停`、`/memory 继续`。',
    'You can write: `/memory`, `/memory 2`, `/memory find tea`, `/memory recent`, `/memory todos`, `/memory waiting`, `/memory why 3`, `/memory keep 3`, `/memory in tool_experiences`, `/memory file`, `/memory pause`, `/memory resume`.',
  )

async function findNamed(deps: MemoryDeps, context: CommandContext, named: string): Promise<MemoryRecord | undefined> {
  const label = readLabel(named, toPlace({ ...context, group: context.event.group }))
  const [record] = label ? await deps.memory.find(label.scope, [label.number]) : []
  return record
}

const sayNone = (language: Language): Effects =>
  say(language, '没有这一条。`/memory` 列出记住的。', 'There is no such number. `/memory` lists what I keep.')

async function explain(deps: MemoryDeps, context: CommandContext, named: string): Promise<Effects> {
  const record = await findNamed(deps, context, named)
  if (!record) return sayNone(context.language)
  const at = toOnCard(context, { kind: 'all' })
  return await toRecordCard(deps, context, { at, record, showing: { inPlace: false } })
}

/** Of what was noticed: by who said it. In a group what it settled is confirmed by whoever may change what holds there, too. */
async function confirm(deps: MemoryDeps, context: CommandContext, named: string): Promise<Effects> {
  const { language, principal, event } = context
  const record = await findNamed(deps, context, named)
  if (!record) return sayNone(language)
  if ((record.speaker !== principal || isForAdmins(record)) && !mayChange(event.group, context))
    return isForAdmins(record)
      ? sayNotAllowed(language)
      : say(language, '只有说这话的人、主人和管理员可以确认。', 'Only who said it, owners and admins can confirm that.')
  await deps.memory.change(record.scope, record.number, (before) =>
    before.status === 'confirmed' ? undefined : { ...before, status: 'confirmed', confirmedBy: principal },
  )
  const label = toLabel(record, { own: record.scope })
  return say(language, `第 ${label} 条已确认。`, `Number ${label} is confirmed.`)
}

/** `/forget 3`; in plain words it asks first. Undefined where that names no record. */
export async function forgetNumbered(
  deps: ForgetDeps,
  context: CommandContext,
): Promise<readonly Effect<never>[] | undefined> {
  const { args, language, principal, owner, event } = context
  if (!readLabel(args, toPlace({ ...context, group: event.group }))) return undefined
  const record = await findNamed(deps, context, args)
  if (!record) return isPlain(context) ? asMessage(context) : sayNone(language)
  if (isPlain(context)) return await askToForgetThis(deps, context, [record])
  const isOwn = record.speaker === principal && record.scope !== ofAll
  const mayForget = record.scope === ofAll ? owner : isOwn || mayChange(event.group, context)
  if (!mayForget)
    return say(
      language,
      '你可以让我忘掉你自己说的；别人说的只有主人和管理员可以。',
      'You may have me forget what you said. What others said only owners and admins can.',
    )
  await deps.memory.drop(record.scope, [record.id], 'for-good')
  const label = toLabel(record, { own: record.scope })
  return say(
    language,
    `已忘掉第 ${label} 条。说它的那条消息还在聊天里；要连它一起忘掉，用 /forget 回复那条消息。`,
    `Number ${label} is forgotten. The message that said it is still in the chat: reply to that with /forget to forget it too.`,
  )
}
