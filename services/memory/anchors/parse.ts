// Reads what stands behind /anchor: "D database: we use Postgres; why: two of us know it; until: 2027-03-01; tags: db, backend", in both languages, with the
// marks of both.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import {
  mostReasonChars,
  mostTagChars,
  mostTags,
  mostTopicChars,
  type Anchor,
  type AnchorKind,
} from '#shared/memory/anchor.ts'
import { mostRecordChars } from '#shared/memory/record.ts'

export type ParsedAnchor =
  | { readonly kind: 'anchor'; readonly of: AnchorKind; readonly text: string; readonly anchor: Anchor }
  /** No kind, no topic, or nothing that is settled. */
  | { readonly kind: 'unclear' }
  | { readonly kind: 'bad-day'; readonly said: string }
  /** A part of it has more than `most` characters, or there are more than `most` tags. */
  | {
      readonly kind: 'too-long'
      readonly part: 'text' | 'topic' | 'why' | 'context' | 'tag' | 'tags'
      readonly most: number
    }

const kinds: Readonly<Record<string, AnchorKind>> = {
  d: 'decision',
  decision: 'decision',
  决定: 'decision',
  决策: 'decision',
  c: 'constraint',
  constraint: 'constraint',
  rule: 'constraint',
  约束: 'constraint',
  限制: 'constraint',
  规定: 'constraint',
  p: 'pattern',
  pattern: 'pattern',
  做法: 'pattern',
  模式: 'pattern',
  m: 'metric',
  metric: 'metric',
  threshold: 'metric',
  指标: 'metric',
  门槛: 'metric',
  阈值: 'metric',
}

const head = /^([\p{L}]{1,12})(?:\s*[:：]\s*|\s+)/u
const split = /[;；\n]/u
const topicEnd = /[:：]/u
const field = /^(\p{L}[\p{L} ]{0,18})[:：]/u

type Field = 'why' | 'context' | 'until' | 'validated' | 'tags'
const fields: Readonly<Record<string, Field>> = {
  why: 'why',
  because: 'why',
  reason: 'why',
  为什么: 'why',
  因为: 'why',
  原因: 'why',
  理由: 'why',
  context: 'context',
  where: 'context',
  背景: 'context',
  场景: 'context',
  until: 'until',
  expires: 'until',
  expiry: 'until',
  到期: 'until',
  有效期: 'until',
  有效期至: 'until',
  直到: 'until',
  validated: 'validated',
  'last validated': 'validated',
  验证: 'validated',
  上次验证: 'validated',
  tags: 'tags',
  tag: 'tags',
  标签: 'tags',
}

/** Linear in the text. `anchor.text` is one line, `topic: what is settled`. */
export function parseAnchor(args: string): ParsedAnchor {
  const written = args.trim().toWellFormed()
  const [led = '', word = ''] = head.exec(written) ?? []
  const of = kinds[toNormalForm(word, 'NFKC').toLowerCase()]
  if (!of) return { kind: 'unclear' }
  const { said, found } = toParts(written.slice(led.length))
  const end = said.search(topicEnd)
  const topic = onOneLine(said.slice(0, Math.max(end, 0)))
  const settled = onOneLine(said.slice(end + 1))
  if (end < 0 || topic === '' || settled === '') return { kind: 'unclear' }
  const text = `${topic}${/\p{Script=Han}/u.test(topic) ? '：' : ': '}${settled}`
  const tags = (found.tags ?? '').split(/[,，、]/u).map(onOneLine)
  const made = { topic, tags: [...new Set(tags.filter((tag) => tag !== ''))] }
  const long = findTooLong({ text, ...made, why: found.why ?? '', context: found.context ?? '' })
  return long ?? withDays({ of, text, made }, found)
}

type Parts = { readonly said: string; readonly found: Readonly<Partial<Record<Field, string>>> }

/** A semicolon that leads to no field belongs to what stands before it. */
function toParts(written: string): Parts {
  let said = ''
  let at: Field | undefined
  const parts = new Map<Field, string[]>()
  const breaks = [...(written.match(/[;；\n]/gu) ?? [])]
  for (const [nth, part] of written.split(split).entries()) {
    const bare = part.trimStart()
    const [led = '', name = ''] = field.exec(bare) ?? []
    const known = nth === 0 ? undefined : fields[toNormalForm(name, 'NFKC').toLowerCase().trim()]
    const joined = nth === 0 ? part : `${breaks[nth - 1]}${part}`
    if (known) {
      at = known
      parts.set(known, [bare.slice(led.length)])
    } else if (at) parts.get(at)?.push(joined)
    else said += joined
  }
  const found: Partial<Record<Field, string>> = {}
  for (const [name, each] of parts) found[name] = onOneLine(each.join(''))
  return { said: said.replace(/[;；\s]{1,20}$/u, ''), found }
}

type Made = { readonly of: AnchorKind; readonly text: string; readonly made: Pick<Anchor, 'topic' | 'tags'> }

function withDays({ of, text, made }: Made, found: Parts['found']): ParsedAnchor {
  const [until, validated] = [found.until, found.validated].map((said) =>
    said === undefined ? undefined : toDay(said),
  )
  if (found.until !== undefined && until === undefined) return { kind: 'bad-day', said: found.until }
  if (found.validated !== undefined && validated === undefined) return { kind: 'bad-day', said: found.validated }
  const anchor = {
    ...made,
    ...(found.context ? { context: found.context } : {}),
    ...(found.why ? { why: found.why } : {}),
    ...(until === undefined ? {} : { until }),
    ...(validated === undefined ? {} : { validated }),
  }
  return { kind: 'anchor', of, text, anchor }
}

type Bounded = Pick<Anchor, 'topic' | 'tags'> & {
  readonly text: string
  readonly why: string
  readonly context: string
}

function findTooLong({ text, topic, why, context, tags }: Bounded): ParsedAnchor | undefined {
  if (topic.length > mostTopicChars) return { kind: 'too-long', part: 'topic', most: mostTopicChars }
  if (text.length > mostRecordChars) return { kind: 'too-long', part: 'text', most: mostRecordChars }
  if (why.length > mostReasonChars) return { kind: 'too-long', part: 'why', most: mostReasonChars }
  if (context.length > mostReasonChars) return { kind: 'too-long', part: 'context', most: mostReasonChars }
  if (tags.length > mostTags) return { kind: 'too-long', part: 'tags', most: mostTags }
  return tags.some((tag) => tag.length > mostTagChars)
    ? { kind: 'too-long', part: 'tag', most: mostTagChars }
    : undefined
}

const onOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

const written = /^(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})\s?日?\s?[.。!！]?$/u

/** `YYYY-MM-DD`; undefined for what is no day of the calendar. */
function toDay(said: string): string | undefined {
  const [, year = '', month = '', date = ''] = written.exec(toNormalForm(said, 'NFKC')) ?? []
  if (year < '1900' || year > '2199') return undefined
  const made = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return !Number.isNaN(made.getTime()) && made.toISOString().startsWith(day) ? day : undefined
}
