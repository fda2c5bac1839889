// Shows one item of the conversation on the screen, and notes its buttons and whom it answers.
import type { Language } from '#shared/chat/message.ts'
import { endsTurn, toTurn } from '#shared/run/out-row.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Choices } from './choices.ts'
import type { Screen } from './screen.ts'
import type { Waiting } from './waiting.ts'
import { toHint } from './words.ts'

export type ShowDeps = {
  readonly screen: Screen
  readonly choices: Choices
  readonly waiting: Waiting
  /** Events that were said here: they stand on the screen already. */
  readonly own: ReadonlySet<string>
  readonly language: Language
}

export function showItem({ screen, choices, waiting, own, language }: ShowDeps, item: OutItem): void {
  if (item.role === 'person') {
    if (item.event.kind === 'message' && !own.has(item.event.id)) screen.person(item.event.text)
    return
  }
  const { body } = item
  const isProgress = body.kind === 'send' && body.plan === true && body.replaces !== undefined
  if ('replaces' in body && !isProgress) choices.drop(body.replaces)
  if (body.kind === 'unbutton') waiting.answered(body.answers)
  if (body.kind !== 'send') return
  const buttons = body.buttons?.flat() ?? []
  const { asks, row, text } = body
  if (isProgress) {
    // Each edit replaces the first message, and has the same buttons, which are asked anew.
    choices.change(body.replaces, buttons)
    return screen.progress(text)
  }
  const said = { turn: toTurn(row ?? ''), text, isPlan: body.plan === true }
  const [first, last] = [choices.count() + 1, choices.count() + buttons.length]
  const leftMs = asks ? item.at + asks.deadlineMs - Date.now() : 0
  if (asks && leftMs > 0 && buttons.length > 0) {
    const hint = toHint(language, { first, last, leftMs, denies: asks.denies === true })
    screen.reply(said, buttons, first, hint)
  } else screen.reply(said, buttons, first)
  choices.add(buttons, { row, asks: asks !== undefined, isCard: asks !== undefined || !endsTurn(body) })
  waiting.answered(body.answers)
}
