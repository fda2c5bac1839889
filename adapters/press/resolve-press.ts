// A pressed button on any platform: resolved in Redis first, so that what its presser is told is what really happened.
// A button's data is `<question>.<choice>`; anything else is forged or from another time.
import { cleanName } from '#shared/chat/clean-text.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { BotError } from '#shared/errors.ts'
import type { ResolveResult } from '#queues/questions/questions.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { pressTexts } from './texts.ts'
import { toPress } from './to-press.ts'

export type ResolveDeps = {
  readonly ingest: Pick<Ingest, 'press'>
  /** ms since 1970; a press comes without a time. */
  readonly now: () => number
}

export type Press = {
  /** Names the press: a redelivered one is told what it was told before. */
  readonly id: string
  /** What the button carried. */
  readonly data: string | undefined
  /** Where the card lies; undefined when the platform did not say. */
  readonly conversation: ConversationId | undefined
  /** Who pressed; undefined for a bot. */
  readonly actor: PrincipalId | undefined
  /** `channel:server`, where the card lies in one. */
  readonly server?: string
  readonly name: string
  /** The platform's id of the message that was pressed. */
  readonly messageId: string | undefined
  /** What the platform says of the presser with this very press. */
  readonly isAdmin?: boolean
  readonly language: Language
  /** The label of the button with this data on the card, if it is still there. */
  labelOf(data: string): string | undefined
  /** How another person is named in a notice. */
  nameOf(principal: string): string
}

export type PressOutcome = {
  readonly won: boolean
  /** The card's buttons have had their day, and nobody else will take them away. */
  readonly dropsButtons: boolean
  readonly text: string
}

/** Throws BotError `store-unavailable` when nobody knows yet who won: then the press must be tried again under the same id. */
export async function resolvePress(deps: ResolveDeps, press: Press): Promise<PressOutcome> {
  try {
    const result = await resolve(deps, press)
    return { won: result.kind === 'WON', dropsButtons: isLeftOver(result, press), text: toText(result, press) }
  } catch (error) {
    if (error instanceof BotError && error.retry !== 'never') throw error
    return { won: false, dropsButtons: false, text: pressTexts.trouble[press.language] }
  }
}

async function resolve(deps: ResolveDeps, press: Press): Promise<ResolveResult> {
  const { conversation, actor, id, messageId, isAdmin, server } = press
  const data = press.data ?? ''
  if (!conversation || !actor || !/^p\d\d-[a-z0-9]{22}\./.test(data)) return { kind: 'UNKNOWN' }
  const pressed = toPress({
    id,
    conversation,
    principal: actor,
    at: deps.now(),
    data,
    name: cleanName(press.name),
    ...(server === undefined ? {} : { server }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(isAdmin ? { senderIsAdmin: true } : {}),
  })
  return await deps.ingest.press(pressed)
}

/**
 * A question with a card has its message changed by its answer. What was pressed must be on the message, as the platform shows it:
 * forged data takes no buttons away.
 */
function isLeftOver(result: ResolveResult, { data, labelOf }: Press): boolean {
  if (result.kind === 'WON') return result.question.card === undefined
  return result.kind === 'UNKNOWN' && data !== undefined && labelOf(data) !== undefined
}

const refusals = { FORBIDDEN: 'forbidden', STALE: 'stale', UNKNOWN: 'unknown' } as const

/** A press that comes again, because its first answer was lost, is told what it was told before. */
function toText(result: ResolveResult, press: Press): string {
  const { language } = press
  if (result.kind === 'WON') return pressTexts.won[language]
  if (result.kind !== 'ALREADY') return pressTexts[refusals[result.kind]][language]
  const [question = '', pressed] = press.data?.split('.', 2) ?? []
  if (result.by === press.actor && result.choice === pressed) return pressTexts.won[language]
  // A card that has been answered meanwhile has no labels any more, and shows the answer itself.
  const label = result.choice === '' ? pressTexts.words[language] : press.labelOf(`${question}.${result.choice}`)
  const chosen = label === undefined ? '' : `${language === 'zh' ? '：' : ': '}${label}`
  if (result.by === press.actor) return `${pressTexts.mine[language]}${chosen}`
  const by = press.nameOf(result.by)
  return language === 'zh' ? `${pressTexts.already.zh}${chosen}（${by}）` : `${pressTexts.already.en} by ${by}${chosen}`
}
