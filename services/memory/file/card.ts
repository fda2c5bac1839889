// The card that shows what a file changes, and asks before anything is changed.
import type { Language } from '#shared/chat/message.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { toPlainLine } from '#shared/feature/inert.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { Found } from './diff.ts'
import { sections } from './document.ts'
import type { Change, Payload } from './proposal.ts'

/** More would not stand in one message on every platform. */
const mostLines = 12
const mostLineChars = 80
const livesMs = 3_600_000

type Shown = Pick<Found, 'changes' | 'stale' | 'missing' | 'isOutdated' | 'printed'> & {
  readonly records: readonly MemoryRecord[]
}

export function askToApply(found: Shown, at: Payload): StepEffect<never> {
  const { language } = at
  const isChinese = language === 'zh'
  const { changes } = found
  const byNumber = new Map(found.records.map((one) => [one.number, one]))
  const told = changes.toSorted((a, b) => order[a.op] - order[b.op]).slice(0, mostLines)
  const lines = told.map((one) => toDiffLine(one, byNumber, language))
  const rest = changes.length - told.length
  const more = rest === 0 ? [] : [isChinese ? `  还有 ${rest} 处` : `  and ${rest} more`]
  const parts = [
    ...tellLoud(found, language),
    isChinese ? '要应用这份 MEMORY.md 吗？改动如下：' : 'Shall I apply this MEMORY.md? This is what changes:',
    toBlock([...lines, ...more]),
    toCounts(changes, language),
    ...tellLeft(found, language),
  ]
  return {
    kind: 'ask',
    question: 'file',
    text: parts.join('\n\n'),
    options: [
      [
        { id: 'apply', label: isChinese ? '应用' : 'Apply' },
        { id: 'no', label: isChinese ? '保持原样' : 'Leave it as it is' },
      ],
    ],
    payload: JSON.stringify(at),
    topic: 'memory file',
    deadlineMs: livesMs,
    cameOf: told.flatMap((one): readonly CameOf[] => (one.op === 'new' ? [] : (byNumber.get(one.number)?.from ?? []))),
  }
}

/** What goes is read first. */
const order = { drop: 0, edit: 1, new: 2 } as const

/** Above anything else, where most of what is kept would go. */
const fewest = 5
function tellLoud({ changes, printed }: Shown, language: Language): readonly string[] {
  const gone = changes.filter((one) => one.op === 'drop' && !one.done).length
  if (gone < fewest || gone * 2 <= printed) return []
  return [
    language === 'zh'
      ? `⚠️ **这会忘掉 ${printed} 条里的 ${gone} 条。**`
      : `⚠️ **This forgets ${gone} of the ${printed} things that I keep here.**`,
  ]
}

function toDiffLine(change: Change, byNumber: ReadonlyMap<number, MemoryRecord>, language: Language): string {
  if (change.op === 'new') return `+ ${sectionOf(change.kind)}: ${toShort(change.text)}`
  const record = byNumber.get(change.number)
  const before = toShort(record?.text ?? '')
  if (change.op === 'drop') {
    const done = change.done ? (language === 'zh' ? '（已完成）' : ' (done)') : ''
    return `- ${change.number}: ${before}${done}`
  }
  return `~ ${change.number}: ${[before, ...toAfter(change, record, language)].join(' → ')}`
}

type Edit = Extract<Change, { op: 'edit' }>

function toAfter({ text, day, kind }: Edit, record: MemoryRecord | undefined, language: Language): readonly string[] {
  const isMoved = record?.kind !== kind || record.status === 'unconfirmed'
  return [
    ...(text === undefined ? [] : [toShort(text)]),
    ...(day === undefined ? [] : [`[${day}]`]),
    ...(isMoved ? [language === 'zh' ? `移到 ${sectionOf(kind)}` : `under ${sectionOf(kind)}`] : []),
  ]
}

const sectionOf = (kind: MemoryRecord['kind']): string => sections.find((one) => one.kind === kind)?.name ?? 'Notes'
const toShort = (text: string): string => toPlainLine(text, mostLineChars)

/** Nothing in it is markup, or calls anybody; its fence is longer than any in the text. */
function toBlock(lines: readonly string[]): string {
  const text = lines.join('\n')
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}diff\n${text}\n${fence}`
}

function toCounts(changes: readonly Change[], language: Language): string {
  const count = (op: Change['op']): number => changes.filter((one) => one.op === op).length
  const [gone, changed, added] = [count('drop'), count('edit'), count('new')]
  const parts =
    language === 'zh'
      ? [gone && `忘掉 ${gone} 条`, changed && `改 ${changed} 条`, added && `新记 ${added} 条`]
      : [gone && `${gone} forgotten`, changed && `${changed} changed`, added && `${added} new`]
  return `${parts.filter(Boolean).join(language === 'zh' ? '，' : ', ')}${language === 'zh' ? '。' : '.'}`
}

/** What of the file changes nothing, and why. */
export function tellLeft(
  { stale, missing, isOutdated }: Pick<Shown, 'stale' | 'missing' | 'isOutdated'>,
  language: Language,
): readonly string[] {
  const isChinese = language === 'zh'
  const shown = stale.slice(0, 20)
  const more = stale.length > shown.length ? '…' : ''
  const parts = [
    ...(stale.length === 0
      ? []
      : [
          isChinese
            ? `第 ${shown.join('、')}${more} 条在这份文件给出之后改过或忘掉了，这些行不算。`
            : `${stale.length === 1 ? 'Number' : 'Numbers'} ${shown.join(', ')}${more} changed or went after this file was given: ${stale.length === 1 ? 'that line counts' : 'those lines count'} for nothing.`,
        ]),
    ...(missing === 0 ? [] : [tellMissing(missing, isOutdated, language)]),
  ]
  return parts.length === 0 ? [] : [parts.join(isChinese ? '' : ' ')]
}

function tellMissing(missing: number, isOutdated: boolean, language: Language): string {
  if (language === 'zh')
    return isOutdated
      ? `没有写到的 ${missing} 条都留着：编号已经和这份文件给出时不同了。\`/memory file\` 给出新的一份。`
      : `没有写到的 ${missing} 条都留着：最后一行 \`<!-- end: … -->\` 还在时，删掉的行才会忘掉。`
  const things = missing === 1 ? 'One thing' : `${missing} things`
  const stays = `${things} that the text leaves out ${missing === 1 ? 'stays' : 'stay'}`
  return isOutdated
    ? `${stays}: the numbers are others than when this file was given. \`/memory file\` gives a new one.`
    : `${stays}: lines that you take away are forgotten only while the last line, \`<!-- end: … -->\`, is there.`
}
