// The card of /memory that lists records, a page at a time: a button opens each of them, and others turn the page.
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Asking, CommandContext } from '#shared/feature/feature.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { mayChange } from '#shared/feature/rights.ts'
import type { Choice } from '#shared/run/question.ts'
import type { FindDeps } from './find-kept.ts'
import { lookFor, type Looked } from './look.ts'
import { cardLivesMs, onPage, toSeen, type Look, type OnCard } from './on-card.ts'
import { toLabel, toPlace } from './place.ts'
import { cameOf, describe } from './words.ts'

export type Effects = readonly StepEffect<never>[]
export type Asked = Pick<Asking, 'conversation' | 'principal' | 'zone' | 'about' | 'owner'>

/** `note`: what has just become of something, told first. */
export type Showing = { readonly inPlace: boolean; readonly note?: string }

const inRow = 3
/** Of a record in a list; its own card has all of it. */
const mostLineChars = 180
/** As many messages lead to what is written on the card at most. */
const mostAbout = 50

/** A page that is not there any more is the last one. */
export async function toList(deps: FindDeps, asked: Asked, at: OnCard, showing: Showing): Promise<Effects> {
  const { language, group } = at
  const { principal } = asked
  const place = toPlace({ ...asked, group })
  const looked = await lookFor(deps, place, { look: at.look, principal, group })
  const { records } = looked
  const pages = Math.max(1, Math.ceil(records.length / onPage))
  const page = Math.max(1, Math.min(at.page, pages))
  const shown = records.slice((page - 1) * onPage, page * onPage)
  const zone = (await asked.zone()) ?? deps.timeZone
  const how = { principal, language, zone, nowMs: deps.now() }
  const lines = shown.map(
    (record) =>
      `- **${toLabel(record, place)}** ${toInertLine(record.text, mostLineChars)}\n  ${describe(record, how)}`,
  )
  const heads = records.length === 0 ? sayNone(at, looked) : toHead(at, looked, { page, pages })
  const text = [...(showing.note === undefined ? [] : [`${showing.note}\n`]), heads, ...lines].join('\n')
  const said = { text, inPlace: showing.inPlace, cameOf: cameOf(shown) } as const
  if (shown.length === 0) return [{ kind: 'send', ...said }]
  const { open: _open, asks: _asks, ...bare } = at
  return [
    {
      ...toAsk({ ...bare, page, items: shown.map(toSeen) }, asked, [
        ...toRows(shown.map((record, nth) => ({ id: `r-${nth}`, label: toLabel(record, place) }))),
        ...toTurns(page, pages),
      ]),
      ...said,
    },
  ]
}

/** The question of the card, without its text. */
export const toAsk = (at: OnCard, { principal, about }: Asked, options: readonly (readonly Choice[])[]) =>
  ({
    kind: 'ask',
    question: 'card',
    options: options.filter((row) => row.length > 0),
    payload: JSON.stringify({ ...at, about: about.slice(-mostAbout) }),
    topic: `memory card ${principal}`,
    deadlineMs: cardLivesMs,
  }) as const

const toRows = (buttons: readonly Choice[]): readonly (readonly Choice[])[] =>
  Array.from({ length: Math.ceil(buttons.length / inRow) }, (_, row) => buttons.slice(row * inRow, (row + 1) * inRow))

const toTurns = (page: number, pages: number): readonly (readonly Choice[])[] => [
  [...(page > 1 ? [{ id: 'before', label: '◀' }] : []), ...(page < pages ? [{ id: 'after', label: '▶' }] : [])],
]

type Pages = { readonly page: number; readonly pages: number }

function toHead({ language, look, group }: OnCard, looked: Looked, { page, pages }: Pages): string {
  const { records, count, isPart, questions } = looked
  const isChinese = language === 'zh'
  const many = look.kind === 'all' || look.kind === 'recent' ? count : records.length
  const where = pages > 1 ? (isChinese ? `，第 ${page}/${pages} 页` : `, page ${page} of ${pages}`) : ''
  const part = isPart ? `${words[look.kind === 'find' ? 'away' : 'part'][language]}${isChinese ? '' : ' '}` : ''
  const asks = questions > 0 ? `${tellQuestions(questions, language)}${isChinese ? '' : ' '}` : ''
  const hint = words[group ? 'group' : 'own'][language]
  const tail = `${asks}${part}${hint}`
  return isChinese ? `${headZh(look, many)}${where}。${tail}` : `${headEn(look, many)}${where}. ${tail}`
}

function headEn({ kind, words: asked = '', collection = '' }: OnCard['look'], many: number): string {
  const things = many === 1 ? '1 thing' : `${many} things`
  switch (kind) {
    case 'all':
      return `I keep ${things}`
    case 'recent':
      return `I keep ${things}, the newest first`
    case 'todos':
      return `${things} to do`
    case 'waiting':
      return `${things} ${many === 1 ? 'is' : 'are'} not confirmed`
    case 'find':
      return `${things} found for “${toInertLine(asked, 100)}”`
    case 'in':
      return `${things} in \`${collection}\`${asked === '' ? '' : ` for “${toInertLine(asked, 100)}”`}`
    case 'anchors':
      return `${things} settled`
    default:
      return kind satisfies never
  }
}

function headZh({ kind, words: asked = '', collection = '' }: OnCard['look'], many: number): string {
  switch (kind) {
    case 'all':
      return `记住了 ${many} 条`
    case 'recent':
      return `记住了 ${many} 条，最新的在前`
    case 'todos':
      return `待办 ${many} 条`
    case 'waiting':
      return `${many} 条未经确认`
    case 'find':
      return `与“${toInertLine(asked, 100)}”有关的 ${many} 条`
    case 'in':
      return `\`${collection}\` 里${asked === '' ? '' : `与“${toInertLine(asked, 100)}”有关的`}有 ${many} 条`
    case 'anchors':
      return `定下来的 ${many} 条`
    default:
      return kind satisfies never
  }
}

const words = {
  own: {
    zh: '按编号打开一条，可以改、忘掉、置顶，或允许在群里用。',
    en: 'Press a number to read it whole, to edit, forget or pin it, or to allow it in groups.',
  },
  group: { zh: '按编号打开一条。', en: 'Press a number to read it whole.' },
  away: { zh: '更早的这次没能查。', en: 'Older ones could not be looked through now.' },
  part: {
    zh: '只列得出最近的；更早的用 `/memory 查 词` 找。',
    en: 'Only the newest are listed: `/memory find words` finds older ones.',
  },
} as const

const tellQuestions = (many: number, language: Language): string =>
  language === 'zh'
    ? `另有 ${many} 个问题等着问你，用 \`/questions\` 查看。`
    : `${many === 1 ? '1 question waits' : `${many} questions wait`} for you, too: \`/questions\` lists them.`

function sayNone({ language, look, group }: OnCard, { questions }: Looked): string {
  const isChinese = language === 'zh'
  switch (look.kind) {
    case 'all':
    case 'recent':
      return none[group ? 'group' : 'own'][language]
    case 'todos':
      return none.todos[language]
    case 'waiting':
      return `${none.waiting[language]}${questions > 0 ? `${isChinese ? '' : ' '}${tellQuestions(questions, language)}` : ''}`
    case 'find': {
      const asked = toInertLine(look.words ?? '', 100)
      return isChinese ? `我没有记着与“${asked}”有关的。` : `I keep nothing that has to do with “${asked}”.`
    }
    case 'in': {
      const name = look.collection ?? ''
      return isChinese
        ? `\`${name}\` 里没有找到。\`/memory in\` 列出集合。`
        : `Nothing of that is in \`${name}\`. \`/memory in\` lists the collections.`
    }
    case 'anchors':
      return none.anchors[language]
    default:
      return look.kind satisfies never
  }
}

const none = {
  own: {
    zh: '我还没有记住什么。说“记住……”或写 `/remember` 就有了。',
    en: 'I keep nothing yet. Say “remember that …”, or write `/remember`.',
  },
  group: {
    zh: '这个群还没有让我记住什么。说“记住……”或写 `/remember` 就有了。',
    en: 'Nothing is kept for this group. Say “remember that …”, or write `/remember`.',
  },
  todos: { zh: '没有记着的待办。', en: 'There is nothing to do among what I keep.' },
  anchors: {
    zh: '这里还没有定下什么。例如 `/anchor D 数据库：我们用 Postgres；原因：两个人会`。',
    en: 'Nothing is settled here yet. For example `/anchor D database: we use Postgres; why: two of us know it`.',
  },
  waiting: { zh: '没有等你确认的。', en: 'Nothing waits for your yes.' },
} as const

/** What stands on the page is what was seen of it. */
export const findItem = ({ items }: OnCard, choice: string): OnCard['items'][number] | undefined =>
  choice.startsWith('r-') ? items[Number(choice.slice(2))] : undefined

type Asker = Pick<CommandContext, 'language' | 'owner' | 'event'>

/** A card that shows nothing yet. */
export const toOnCard = (context: Asker, look: Look, page = 1): OnCard => ({
  v: 1,
  language: context.language,
  group: context.event.group,
  mayAll: mayChange(context.event.group, context),
  look,
  page,
  items: [],
  about: [],
})
