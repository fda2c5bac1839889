// What happens when a person presses a button: the callback is sent, its answer within three seconds is read, and the toast and the card
// in it are shown. A press goes waiting → answered or failed; the number of the failure is shown to the person.
// https://open.feishu.cn/document/uAjLw4CM/ukzMukzMukzM/feishu-cards/card-callback-communication
import { FeishuError } from './api-error.ts'
import { isObject, type CardButton } from './card-json.ts'
import { readCard } from './card.ts'
import type { Answer } from './delivery.ts'
import type { Events } from './events.ts'
import { newId } from './ids.ts'
import { rewrite, type FsUser, type PressState, type StoredMessage, type World } from './world.ts'

export const pressErrors = {
  notReached: 200_340,
  tooLate: 200_341,
  refused: 200_671,
  notUnderstood: 200_672,
  badCard: 200_673,
}

const pressableMs = { '1.0': 30 * 86_400_000, '2.0': 14 * 86_400_000 }

type Deps = { readonly world: World; readonly events: Events; onChange(): void }

export type PressInput = {
  readonly by: FsUser
  readonly message: StoredMessage
  readonly button: Pick<CardButton, 'value' | 'name'>
}

/** Gives the press's token. Throws when the card is too old to be pressed. */
export function press({ world, events, onChange }: Deps, { by, message, button }: PressInput): string {
  const { card } = message
  if (card === undefined) throw new Error(`Message ${message.id} is no card`)
  if (world.clock.now() - message.createdAt > pressableMs[card.schema]) {
    throw new Error(`The card ${message.id} is too old to be pressed`)
  }
  const state: PressState = {
    token: newId.press(),
    by,
    message,
    at: world.clock.now(),
    answeredAt: undefined,
    toast: undefined,
    error: undefined,
    uses: 0,
    before: { content: message.content, card },
  }
  world.presses.set(state.token, state)
  const action = {
    ...(button.value === undefined ? {} : { value: button.value }),
    tag: 'button',
    ...(button.name === undefined ? {} : { name: button.name }),
  }
  void events.pressed(state, action).then((answer) => {
    settle(world, state, answer)
    onChange()
  })
  return state.token
}

function settle(world: World, state: PressState, answer: Answer): void {
  state.answeredAt = world.clock.now()
  state.error = errorOf(answer)
  if (state.error !== undefined || answer.kind !== 'ok') return
  undo(world, state)
  const body = answer.body ?? {}
  if (!isObject(body)) return
  const { toast, card } = body
  if (isObject(toast) && typeof toast['content'] === 'string') state.toast = toast['content']
  if (isObject(card)) showCard(world, state, card)
}

function errorOf(answer: Answer): number | undefined {
  switch (answer.kind) {
    case 'absent':
      return pressErrors.notReached
    case 'silent':
      return pressErrors.tooLate
    case 'refused':
      return pressErrors.refused
    case 'ok':
      return isUnderstood(answer) ? undefined : pressErrors.notUnderstood
  }
}

/** Nothing, `{}`, or an object of a toast and a card. */
function isUnderstood({ body, isJson }: Extract<Answer, { kind: 'ok' }>): boolean {
  if (!isJson) return false
  if (body === undefined) return true
  if (!isObject(body)) return false
  if (!Object.keys(body).every((name) => name === 'toast' || name === 'card')) return false
  const { toast, card } = body
  const types = ['info', 'success', 'error', 'warning']
  const isToast =
    toast === undefined ||
    (isObject(toast) &&
      (toast['type'] === undefined || (typeof toast['type'] === 'string' && types.includes(toast['type']))))
  return isToast && (card === undefined || (isObject(card) && (card['type'] === 'raw' || card['type'] === 'template')))
}

/** What changed the card while its press was unanswered does not last. */
function undo(world: World, { message, before }: PressState): void {
  if (before === undefined || message.content === before.content || message.entity !== undefined) return
  rewrite(world, message, { content: before.content, text: before.card.text })
  message.card = before.card
}

function showCard(world: World, state: PressState, { type, data }: Readonly<Record<string, unknown>>): void {
  const { message } = state
  // While a card is streamed, the answer cannot change it.
  if (message.entity?.streamingSince !== undefined) return
  try {
    if (type !== 'raw' || !isObject(data)) throw new FeishuError(200, pressErrors.badCard, 'no card')
    const card = readCard(data)
    rewrite(world, message, { content: JSON.stringify(data), text: card.text })
    message.card = card
  } catch (error) {
    if (!(error instanceof FeishuError)) throw error
    state.error = pressErrors.badCard
  }
}
