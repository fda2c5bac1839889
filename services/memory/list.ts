// /memory: what is kept here, the newest first; one record with where it comes from; and /forget with its number.
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { mayChange } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { ofAll, type MemoryRecord } from '#shared/memory/record.ts'
import { isMemoryFile, memoryFile } from './memory-file.ts'
import { readLabel, toLabel, toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { cameOf, describe, toShown, toDay } from './words.ts'

type Effects = readonly StepEffect<never>[]

export const memoryCommand: CommandInfo = {
  name: 'memory',
  help: { zh: '我记住的：/memory，或 /memory why 3', en: 'what I keep: /memory, or /memory why 3' },
  more: {
    zh: '`/memory` 列出这里记住的，`/memory 2` 是第 2 页，`/memory why 3` 说明第 3 条是谁什么时候说的，`/memory keep 3` 确认第 3 条。`/memory file` 给出文件 MEMORY.md，改好后贴在 `/memory file` 后面发回来。`/forget 3` 忘掉第 3 条。',
    en: '`/memory` lists what is kept here, `/memory 2` is its second page, and `/memory why 3` tells who said number 3, and when, and `/memory keep 3` confirms it. `/memory file` gives all of it as the file MEMORY.md; change that, and send it back behind `/memory file`. `/forget 3` forgets it.',
  },
  admins: 'may-ask',
}

const onPage = 10
const why = /^(?:why|为什么|来源)\s*/i
const keep = /^(?:keep|确认|保留)\s*/i

export async function list(deps: MemoryDeps, context: CommandContext): Promise<Effects> {
  const args = context.args.trim()
  if (isMemoryFile(args)) return await memoryFile(deps, context)
  if (why.test(args)) return await explain(deps, context, args.replace(why, ''))
  if (keep.test(args)) return await confirm(deps, context, args.replace(keep, ''))
  const place = toPlace({ ...context, group: context.event.group })
  const page = args === '' ? 1 : Number(args)
  const { language } = context
  if (!Number.isInteger(page) || page < 1)
    return say(
      language,
      '请写 `/memory`、`/memory 2` 或 `/memory why 3`。',
      'Write `/memory`, `/memory 2` or `/memory why 3`.',
    )
  const found = await Promise.all(place.reads.map((scope) => deps.memory.read(scope)))
  const read = found.flatMap((one) => (one === 'same' ? [] : [one]))
  const records = read.flatMap((one) => one.records)
  const count = read.reduce((sum, one) => sum + one.count, 0)
  if (records.length === 0) return sayEmpty(language, context.event.group)
  const pages = Math.ceil(records.length / onPage)
  if (page > pages)
    return say(language, `只有 ${pages} 页。`, `There ${pages === 1 ? 'is one page' : `are ${pages} pages`}.`)
  const shown = records.slice((page - 1) * onPage, page * onPage)
  const zone = (await context.zone()) ?? deps.timeZone
  const { principal } = context
  const lines = shown.map(
    (record) =>
      `- **${toLabel(record, place)}** ${toShown(record.text)}\n  ${describe(record, { principal, language, zone })}`,
  )
  return [
    {
      kind: 'send',
      text: [toHead(language, { count, page, pages }), ...lines].join('\n'),
      cameOf: cameOf(shown),
    },
  ]
}

function toHead(language: Language, at: { readonly count: number; readonly page: number; readonly pages: number }) {
  const { count, page, pages } = at
  const where = pages > 1 ? (language === 'zh' ? `，第 ${page}/${pages} 页` : `, page ${page} of ${pages}`) : ''
  if (language === 'zh') return `记住了 ${count} 条${where}。\`/forget 编号\` 忘掉一条。`
  return `I keep ${count} ${count === 1 ? 'thing' : 'things'}${where}. \`/forget\` and a number forgets one.`
}

const sayEmpty = (language: Language, group: boolean): Effects =>
  group
    ? say(
        language,
        '这个群还没有让我记住什么。说“记住……”或写 `/remember` 就有了。',
        'Nothing is kept for this group. Say “remember that …”, or write `/remember`.',
      )
    : say(
        language,
        '我还没有记住什么。说“记住……”或写 `/remember` 就有了。',
        'I keep nothing yet. Say “remember that …”, or write `/remember`.',
      )

async function find(deps: MemoryDeps, context: CommandContext, named: string): Promise<MemoryRecord | undefined> {
  const label = readLabel(named, toPlace({ ...context, group: context.event.group }))
  const [record] = label ? await deps.memory.find(label.scope, [label.number]) : []
  return record
}

const sayNone = (language: Language): Effects =>
  say(language, '没有这一条。`/memory` 列出记住的。', 'There is no such number. `/memory` lists what I keep.')

async function explain(deps: MemoryDeps, context: CommandContext, named: string): Promise<Effects> {
  const { language, principal } = context
  const record = await find(deps, context, named)
  if (!record) return sayNone(language)
  const zone = (await context.zone()) ?? deps.timeZone
  const isChinese = language === 'zh'
  const { status, confirmedBy, uses, lastUsedAt } = record
  const confirmed = status === 'confirmed' ? confirmedBy : undefined
  const lines = [
    `**${toLabel(record, toPlace({ ...context, group: context.event.group }))}** ${toShown(record.text)}`,
    `- ${describe(record, { principal, language, zone })}`,
    ...(confirmed === undefined
      ? []
      : [
          isChinese
            ? `- 由${confirmed === principal ? '你' : ` \`${confirmed}\` `}确认`
            : `- confirmed by ${confirmed === principal ? 'you' : `\`${confirmed}\``}`,
        ]),
    ...(lastUsedAt === undefined
      ? []
      : [
          isChinese
            ? `- 用过 ${uses} 次，最近在 ${toDay(lastUsedAt, zone)}`
            : `- used ${uses} ${uses === 1 ? 'time' : 'times'}, last on ${toDay(lastUsedAt, zone)}`,
        ]),
  ]
  return [{ kind: 'send', text: lines.join('\n'), cameOf: cameOf([record]) }]
}

/** Of what was noticed: by who said it. In a group what it settled is confirmed by whoever may change what holds there, too. */
async function confirm(deps: MemoryDeps, context: CommandContext, named: string): Promise<Effects> {
  const { language, principal, event } = context
  const record = await find(deps, context, named)
  if (!record) return sayNone(language)
  if (record.speaker !== principal && !mayChange(event.group, context))
    return say(
      language,
      '只有说这话的人、主人和管理员可以确认。',
      'Only who said it, owners and admins can confirm that.',
    )
  await deps.memory.change(record.scope, record.number, (before) =>
    before.status === 'confirmed' ? undefined : { ...before, status: 'confirmed', confirmedBy: principal },
  )
  const label = toLabel(record, { own: record.scope })
  return say(language, `第 ${label} 条已确认。`, `Number ${label} is confirmed.`)
}

/** `/forget 3`. Undefined where that names no record. */
export async function forgetNumbered(deps: MemoryDeps, context: CommandContext): Promise<Effects | undefined> {
  const { args, language, principal, owner, event } = context
  if (!readLabel(args, toPlace({ ...context, group: event.group }))) return undefined
  const record = await find(deps, context, args)
  if (!record) return sayNone(language)
  const isOwn = record.speaker === principal && record.scope !== ofAll
  const mayForget = record.scope === ofAll ? owner : isOwn || mayChange(event.group, context)
  if (!mayForget)
    return say(
      language,
      '你可以让我忘掉你自己说的；别人说的只有主人和管理员可以。',
      'You may have me forget what you said. What others said only owners and admins can.',
    )
  await deps.memory.drop(record.scope, [record.number], 'for-good')
  const label = toLabel(record, { own: record.scope })
  return say(
    language,
    `已忘掉第 ${label} 条。说它的那条消息还在聊天里；要连它一起忘掉，用 /forget 回复那条消息。`,
    `Number ${label} is forgotten. The message that said it is still in the chat: reply to that with /forget to forget it too.`,
  )
}
