// The card that asks to approve calls, and how it reads once it has ended. All of it is our own code: of the model there is nothing in it but the
// arguments, which nobody can dress up. Pure.
import type { Language } from '#shared/chat/message.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { BotError } from '#shared/errors.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import { toPlainLine } from '#shared/feature/inert.ts'
import type { Choice } from '#shared/run/question.ts'
import { cardWords, type Second, type Verdict } from './card-words.ts'
import { toPattern, type What } from './patterns.ts'
import {
  cardLivesMs,
  isDecided,
  isForGood,
  isLost,
  isReplied,
  leftMs,
  toAsked,
  type Pending,
  type PendingCall,
  type Wish,
} from './pending.ts'
import { toBlock, toSpan, toVisible, type Visible } from './visible.ts'
import { effectNames } from './words.ts'

export type Known = Pick<Tool, 'name' | 'effect' | 'scope' | 'brief' | 'onlyReads'>
export type Rendering = {
  readonly language: Language
  readonly tools: readonly Known[]
  readonly nowMs: number
  /** The arguments of its calls, in their order. */
  readonly shown: readonly Visible[]
  /** What its person said meanwhile and the bot had not read. */
  readonly unread?: string | undefined
  /** A sentence of ours on how it is answered. */
  readonly hint?: string | undefined
}

type Ask = Extract<StepEffect<never>, { kind: 'ask' }>

/** Characters of the arguments of all calls of a card as they are shown: so much its message and its file hold. */
const mostShownChars = 120_000

/** Undefined where they are longer than a card can show. */
export function showArguments(calls: readonly Pick<PendingCall, 'arguments'>[]): readonly Visible[] | undefined {
  let room = mostShownChars
  const shown: Visible[] = []
  for (const call of calls) {
    const one = toVisible(call.arguments, room)
    if (!one) return undefined
    room -= one.whole.length
    shown.push(one)
  }
  return shown
}

/** How a card is rendered; its arguments are made readable once. Throws BotError `internal` for a card that nobody could have been asked by. */
export function toRendering(card: Pending, how: Omit<Rendering, 'shown'>): Rendering {
  const shown = showArguments(card.calls)
  if (!shown) throw new BotError('internal', `The arguments of a card have more than ${mostShownChars} characters.`)
  return { ...how, shown }
}

/** Asks, in the place of the card that was just answered where it is asked again. */
export function askCard(card: Pending, how: Rendering & { readonly inPlace: boolean }): Ask {
  return {
    kind: 'ask',
    question: 'call',
    owner: card.approver,
    ...(how.inPlace ? { inPlace: true } : {}),
    text: toText(card, how),
    options: toOptions(card, how),
    payload: JSON.stringify(card),
    deadlineMs: leftMs(card, how.nowMs),
    urgency: 'normal',
    stales: true,
    words: true,
    denies: true,
    listed: { key: card.id, title: toTitle(card, how.language) },
  }
}

/** What a list of open questions says of it. */
function toTitle({ calls, task, ofTask, name, requester, approver }: Pending, language: Language): string {
  const names = [...new Set(calls.map((call) => call.name))].join(', ')
  const head = `${toHead({ calls }, language)}${language === 'zh' ? '，' : ': '}${names}`
  const who = approver === requester ? '' : `${name ?? requester}${language === 'zh' ? '：' : ': '}`
  return toPlainLine(`${head} · ${who}${toAsked({ task, ofTask })}`, 200)
}

function toText(card: Pending, how: Rendering): string {
  const { language } = how
  const words = cardWords[language]
  const { unread, hint } = how
  return [
    `**${toHead(card, language)}**`,
    ...toCalls(card, how),
    [words.by(toWho(card, language), toSpan(toAsked(card), 160)), ...toPlace(card, language)].join('\n'),
    ...toReasons(card, language),
    ...(needsWhole(card, how) ? [words.viewFirst] : []),
    ...(unread === undefined ? [] : [words.unread(toSpan(unread, 300))]),
    ...(hint === undefined ? [] : [hint]),
    [words.silence(toDeadline(card, language), toSilent(card)), ...(isReplied(card) ? [words.how] : [])].join(
      language === 'zh' ? '' : ' ',
    ),
  ].join('\n\n')
}

/** What was asked, and one sentence on how it ended. */
export const toEnded = (card: Pending, how: Rendering, end: string): string =>
  [`**${toHead(card, how.language)}**`, ...toCalls(card, how), end].join('\n\n')

const toSilent = ({ calls }: Pending): 'one' | 'several' | 'again' =>
  calls.length > 1 ? 'several' : calls.every(isLost) ? 'again' : 'one'

function toHead({ calls }: Pick<Pending, 'calls'>, language: Language): string {
  const { head, headOfLost, last } = cardWords[language]
  if (calls.length === 1 && calls.every(({ state }) => state === 'really')) return last
  return calls.length === 1 && calls.every(isLost) ? headOfLost : head(calls.length)
}

/** Who asked: by the name that is shown, which proves nothing, and by their id; who is alone with the bot knows. */
function toWho({ name, requester, approver }: Pending, language: Language): string {
  if (name !== undefined) return cardWords[language].named(toSpan(name, 64), toSpan(requester, 80))
  return approver === requester ? cardWords[language].you : toSpan(requester, 80)
}

/** The chat of the request, for an owner who reads it elsewhere: by what it is called, which proves nothing, and by its id. */
function toPlace({ approver, requester, name, title, home, ofTask }: Pending, language: Language): readonly string[] {
  if (approver === requester) return []
  const words = cardWords[language]
  if (name === undefined && ofTask === undefined) return [words.alone]
  const id = toSpan(home, 80)
  return [words.place(title === undefined ? id : words.named(toSpan(title, 80), id))]
}

/** Who decided, as the card says it. */
export const toDecider = (
  { name, requester, approver }: Pending,
  shown: string | undefined,
  language: Language,
): string => (name === undefined && approver === requester ? cardWords[language].you : toSpan(shown ?? approver, 80))

function toCalls({ calls }: Pending, how: Rendering): readonly string[] {
  return calls.map((call, nth) => {
    const words = cardWords[how.language]
    const tool = how.tools.find(({ name }) => name === call.name)
    const number = calls.length > 1 ? `${nth + 1}. ` : ''
    const { brief, isReading } = toBrief(tool, call)
    const effects = [
      isReading ? words.onlyReads : effectNames[tool?.effect ?? 'write'][how.language],
      ...(call.why === 'destructive' ? [words.final] : []),
      ...(isLost(call) && !isDecided(call) ? [words.cutShort] : []),
    ]
    const head = `${number}\`${call.name}\` · ${[...effects, ...toState(call, how.language)].join(' · ')}`
    const always =
      tool && (call.state === 'open' || call.state === 'always') && isForGood(call)
        ? [words.always(describe(toPattern(tool, call), how.language))]
        : []
    const shown = how.shown[nth]
    return [head, ...brief, ...(shown ? [toBlock(shown, words.left)] : []), ...always].join('\n')
  })
}

/** What the tool itself says of the call: a line for people, and whether it changes nothing. */
function toBrief(
  tool: Known | undefined,
  call: PendingCall,
): { readonly brief: readonly string[]; readonly isReading: boolean } {
  const read = readArguments(call.arguments)
  if (!tool || read.kind === 'unreadable') return { brief: [], isReading: false }
  const brief = tool.brief?.(read.input)
  return { brief: brief === undefined ? [] : [toSpan(brief, 300)], isReading: tool.onlyReads?.(read.input) === true }
}

function toState(call: PendingCall, language: Language): readonly string[] {
  const { states } = cardWords[language]
  if (call.state === 'open') return []
  return [call.state === 'really' ? states.really : states[toVerdict(call, call.state)]]
}

/** What was made before, perhaps, has words of its own. */
function toVerdict(call: PendingCall, state: Exclude<PendingCall['state'], 'open' | 'really'>): Verdict {
  if (!isLost(call)) return state
  return state === 'once' ? 'again' : state === 'denied' ? 'left' : state
}

/** Who decided what of a card of which all calls are decided; the reason is that of what was denied. */
export function toDecision({ calls }: Pending, { who, reason }: Decision, language: Language): string {
  const words = cardWords[language]
  const verdicts = calls.flatMap((call) =>
    call.state === 'open' || call.state === 'really' ? [] : [toVerdict(call, call.state)],
  )
  const all = [...new Set(verdicts)]
  const sentences = all.map((verdict) => {
    const which = all.length === 1 ? [] : verdicts.flatMap((one, nth) => (one === verdict ? [String(nth + 1)] : []))
    const isNo = verdict === 'denied' || verdict === 'left'
    return words.decided(words.verdicts[verdict](who), which, isNo ? reason : '')
  })
  return sentences.join(language === 'zh' ? '' : ' ')
}
type Decision = { readonly who: string; readonly reason: string }

/** What a pattern covers, in words. */
export function describe({ by, like, given }: What, language: Language): string {
  const words = cardWords[language]
  if (by === 'same') return words.same
  const also = given === undefined || given === '{}' ? '' : toSpan(given.slice(1, -1).replaceAll('"', ''), 200)
  return by === 'host' ? words.host(toSpan(like, 200), also) : words.path(toSpan(like, 200), also)
}

function toReasons({ calls, approver, requester, name }: Pending, language: Language): readonly string[] {
  const words = cardWords[language]
  const read = [...new Set(calls.flatMap((call) => call.taint))].slice(0, 8)
  return [
    ...(approver === requester ? [] : [words.noRight(name === undefined ? toSpan(requester, 80) : toSpan(name, 64))]),
    ...(read.length > 0 ? [words.tainted(read.map((one) => toSpan(one, 60)).join(', '))] : []),
    ...(calls.some(({ why, state }) => why === 'destructive' && state === 'open') ? [words.destructive] : []),
    ...(calls.some((call) => isLost(call) && call.state === 'open') ? [words.lost] : []),
    ...(['final', 'again'] as const).flatMap((of) => toSecond(calls, of, language)),
  ]
}

function toSecond(calls: Pending['calls'], of: Second, language: Language): readonly string[] {
  const asked = calls.flatMap((call, nth) =>
    call.state === 'really' && isLost(call) === (of === 'again') ? [String(nth + 1)] : [],
  )
  return asked.length === 0 ? [] : [cardWords[language].second(calls.length > 1 ? asked : [], of)]
}

/** Whether its arguments are shown in part, and nobody has seen the whole. */
export const needsWhole = ({ calls, isShown }: Pending, { shown }: Pick<Rendering, 'shown'>): boolean =>
  !isShown && calls.some((call, nth) => !isDecided(call) && shown[nth]?.isCut !== false)

/** The whole of all calls, as a text and a file. */
export function toWhole(
  { calls }: Pending,
  { shown, language }: Rendering,
): Extract<StepEffect<never>, { kind: 'send' }> {
  const words = cardWords[language]
  const text = calls.map(({ name }, nth) => `${nth + 1}. ${name}\n${shown[nth]?.whole ?? ''}`).join('\n\n')
  return {
    kind: 'send',
    text: `${words.whole}\n\n\`\`\`\`json\n${text}\n\`\`\`\``,
    file: { name: 'call.txt', caption: words.whole, text },
  }
}

function toOptions(card: Pending, how: Rendering): readonly (readonly Choice[])[] {
  const { calls } = card
  const { language } = how
  const words = cardWords[language]
  if (needsWhole(card, how))
    return [
      [
        { id: 'show', label: words.show },
        { id: 'deny-all', label: words.buttons.deny },
      ],
    ]
  const isOne = calls.length === 1
  const rows = calls.flatMap((call, nth) =>
    isDecided(call) ? [] : toRows(call, nth, { isOne, isOwners: card.approver !== card.requester, language }),
  )
  const left = calls.filter((call) => !isDecided(call))
  if (left.length < 2) return rows
  const all: Choice[] = [
    ...(left.some(({ state }) => state === 'open') ? [{ id: 'once-all', label: words.allOnce }] : []),
    { id: 'deny-all', label: words.denyAll },
  ]
  return [...rows, all]
}

type Row = { readonly isOne: boolean; readonly isOwners: boolean; readonly language: Language }

function toRows(call: PendingCall, nth: number, { isOne, isOwners, language }: Row): readonly (readonly Choice[])[] {
  const { buttons } = cardWords[language]
  const button = (wish: Wish['wish'], name: keyof typeof buttons = wish): Choice => ({
    id: `${wish}-${nth}`,
    label: isOne ? buttons[name] : `${nth + 1}. ${buttons[name]}`,
  })
  const no = isLost(call) ? button('deny', 'leave') : button('deny')
  // What is pressed twice in haste is no second yes: the places are changed.
  if (call.state === 'really') return [[no, button('really')]]
  if (isLost(call)) return [[button('done'), no, button('once', 'again')]]
  const row = [button('once'), no]
  const always = isOwners && isForGood(call) ? [button('always')] : []
  return isOne ? [row, always].filter((some) => some.length > 0) : [[...row, ...always]]
}

function toDeadline({ sinceMs, zone }: Pending, language: Language): string {
  const words = cardWords[language]
  if (zone === undefined) return words.withinADay
  const at = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(sinceMs + cardLivesMs)
  return words.until(`${at} (${zone})`)
}
