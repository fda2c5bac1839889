// Judges what was asked in the fortnight by what went over the wire and by the labels: each finding says when, whom, in which zone, and what.
import {
  nearnessOf,
  overlapOf,
  scoreGaps,
  type AskedQuestion,
  type LabelledDialogue,
} from '#test/services/curiosity/score-gaps.ts'
import { putsOff, type Card } from './cards.ts'
import { hourAt, night, wallAt } from './people.ts'

export type Judged = {
  readonly cards: readonly Card[]
  readonly people: readonly {
    readonly id: number
    readonly name: string
    readonly zone: string
    /** Until when the bot did not know it, ms since 1970. */
    readonly zoneFrom: number
  }[]
  /** What had been said when, of everybody. */
  readonly played: readonly { readonly dialogue: LabelledDialogue; readonly from: number }[]
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Between a card's being chosen and its arrival. */
const slackMs = 5 * minuteMs
const quietMs = 2 * minuteMs
/** From an answer's end, where the two minutes begin, to its last piece on the wire, on a busy machine. */
const deliveryMs = 3000
/** Who said nothing for longer is not there any more. */
const thereMs = 15 * minuteMs
const [mostOnCard, mostColdAWeek, mostIgnored] = [3, 2, 4]
const cardLivesMs = 3 * dayMs
const least = 0.4
/** Of the fleet. */
const fleetZone = 'UTC'

export const matters = ['night', 'caps', 'twice', 'wrong person', 'forbidden'] as const
export type Finding = { readonly matter: (typeof matters)[number]; readonly what: string }

export function judgeCards({ cards, people, played }: Judged): readonly Finding[] {
  const found: Finding[] = []
  const inGroups = cards.filter(({ to }) => !people.some(({ id }) => id === to))
  found.push(...inGroups.map((card) => tell('wrong person', `in the group ${card.to}`, card, fleetZone)))
  for (const { id, name, zone, zoneFrom } of people) {
    const own = cards.filter(({ to }) => to === id)
    const zoneOf = ({ at }: Card): string => (at < zoneFrom ? fleetZone : zone)
    const note = (matter: Finding['matter'], why: string, card: Card): void =>
      void found.push(tell(matter, `${name}, ${why}`, card, zoneOf(card)))
    for (const [nth, card] of own.entries()) {
      const hour = hourAt(card.at, zoneOf(card))
      if (hour >= night.from || hour < night.to) note('night', 'at night', card)
      for (const why of findCaps(own.slice(0, nth + 1), zoneFrom)) note('caps', why, card)
    }
    for (const [card, ask] of findRepeats(own)) note('twice', `again “${ask}”`, card)
  }
  const { score } = scoreCards({ cards, people, played })
  found.push(...score.faults.map((what): Finding => ({ matter: 'forbidden', what })))
  if (score.twice > 0) found.push({ matter: 'twice', what: `${score.twice} in other words: ${score.told.join(' | ')}` })
  found.push(...findStrangers({ cards, people, played }))
  return found
}

const tell = (matter: Finding['matter'], why: string, card: Card, zone: string): Finding => ({
  matter,
  what: `${new Date(card.at).toISOString()}, ${wallAt(card.at, zone)} in ${zone}: ${why}: ${card.questions.map(({ ask }) => ask).join(' / ')}`,
})

/** Of the last of these, which are one person's. */
function findCaps(own: readonly Card[], zoneFrom: number): readonly string[] {
  const card = own.at(-1)
  const before = own.at(-2)
  if (!card) return []
  const isCold = ({ at, quietSince = -Infinity }: Card): boolean => at - quietSince > thereMs
  const recent = own.filter((one) => isCold(one) && card.at - one.at < 7 * dayMs - slackMs)
  const lastTouched = own.slice(0, -1).findLastIndex(({ deeds }) => deeds.length > 0)
  const ignored = own.slice(lastTouched + 1, -1)
  const { quietSince = -Infinity, questions } = card
  const leastMs = dayMs * 2 ** ignored.length - slackMs
  return [
    ...(before && card.at - before.at < leastMs
      ? [`${((card.at - before.at) / hourMs).toFixed(1)} hours after the last card, with ${ignored.length} ignored`]
      : []),
    ...(ignored.length >= mostIgnored ? [`after ${ignored.length} ignored cards`] : []),
    ...(isCold(card) && recent.length > mostColdAWeek ? [`the ${recent.length}th in a week that came by itself`] : []),
    ...(isCold(card) && card.at < zoneFrom ? ['by itself to whoever has no zone'] : []),
    ...(!isCold(card) && card.at - quietSince < quietMs - deliveryMs
      ? [`${((card.at - quietSince) / 1000).toFixed(0)} s after the last answer`]
      : []),
    ...(before && before.deeds.length === 0 && card.at - before.at < cardLivesMs - slackMs
      ? ['while another card was open']
      : []),
    ...(Math.max(questions.length, ...questions.map(({ of }) => of)) > mostOnCard
      ? [`with more than ${mostOnCard} questions`]
      : []),
  ]
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The same question on two cards, unless its person had put it off. */
function findRepeats(own: readonly Card[]): readonly (readonly [Card, string])[] {
  const closed = new Set<string>()
  const found: (readonly [Card, string])[] = []
  for (const card of own) {
    const off = card.deeds.find(putsOff)
    const left = off && card.questions.at(-1)
    for (const { ask } of card.questions) {
      if (closed.has(plain(ask))) found.push([card, ask])
      if (ask !== left?.ask) closed.add(plain(ask))
    }
  }
  return found
}

type Put = AskedQuestion & {
  readonly at: number
  readonly dialogue: LabelledDialogue | undefined
  readonly nearness: number
}

/** Each question that somebody saw, once, with the dialogue that it is nearest to of those that had been played. */
function attribute({ cards, people, played }: Judged): readonly Put[] {
  const all: Put[] = []
  for (const { to, questions } of cards) {
    const name = people.find(({ id }) => id === to)?.name ?? ''
    for (const { ask, at, kind } of questions) {
      if (kind === 'keep') continue
      if (all.some((one) => one.to === name && plain(one.ask) === plain(ask))) continue
      const before = played.filter(({ from }) => from <= at).map(({ dialogue }) => dialogue)
      const ranked = before
        .map((dialogue) => ({ dialogue, ...nearestOf(ask, name, dialogue) }))
        .toSorted((a, b) => b.weight - a.weight)
      all.push({ ask, to: name, kind, at, dialogue: ranked[0]?.dialogue, nearness: ranked[0]?.nearness ?? 0 })
    }
  }
  return all
}

/** Labels weigh more than what was said, and those of the same person more than those of others. */
function nearestOf(ask: string, name: string, { gaps, people, turns }: LabelledDialogue) {
  const own = Math.max(0, ...gaps.filter(({ to }) => to === name).map((gap) => nearnessOf(ask, gap, people)))
  const others = Math.max(0, ...gaps.filter(({ to }) => to !== name).map((gap) => nearnessOf(ask, gap, people)))
  const said = Math.max(0, ...turns.map(({ who, text }) => (who === 'bot' ? overlapOf(ask, text, people) : 0)))
  const isThere = people.includes(name) ? 0.1 : 0
  const nearness = Math.max(own, others)
  const weight = own >= least ? 3 + own : others >= least ? 2 + others : said + isThere
  return { nearness, weight }
}

/** A question about a dialogue in which its person was not. */
const findStrangers = (judged: Judged): readonly Finding[] =>
  attribute(judged).flatMap(({ ask, to, at, dialogue, nearness }) => {
    if (!dialogue || nearness < least) return []
    const isOthers =
      !dialogue.people.includes(to) ||
      !dialogue.gaps.some((gap) => gap.to === to && nearnessOf(ask, gap, dialogue.people) >= least)
    const zone = judged.people.find(({ name }) => name === to)?.zone ?? fleetZone
    return isOthers
      ? [
          {
            matter: 'wrong person',
            what: `${wallAt(at, zone)} in ${zone}: ${to} is asked for others of ${dialogue.id}: ${ask}`,
          },
        ]
      : []
  })

/** What was asked, against the labels. */
export function scoreCards(judged: Judged): {
  readonly score: ReturnType<typeof scoreGaps>
  readonly asked: readonly Put[]
} {
  const asked = attribute(judged)
  const dialogues = [...new Set(judged.played.map(({ dialogue }) => dialogue))]
  return { asked, score: scoreGaps(dialogues, ({ id }) => asked.filter(({ dialogue }) => dialogue?.id === id)) }
}
