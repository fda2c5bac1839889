// Lines that the person typed: a message, a reply to the newest card, or the number of a choice.
import type { Choices } from './choices.ts'
import type { Mouth } from './mouth.ts'
import type { Waiting } from './waiting.ts'
import { toNumbers, type words } from './words.ts'

export type LineDeps = {
  readonly mouth: Mouth
  readonly choices: Choices
  readonly waiting: Waiting
  /** Events that were said here are added. */
  readonly own: Set<string>
  readonly terminal: boolean
  tell(word: keyof typeof words, n?: string): void
}

export async function takeLine(deps: LineDeps, text: string, signal: AbortSignal): Promise<void> {
  const [, number] = /^#(\d{1,4})$/.exec(text) ?? []
  if (number !== undefined) await choose(deps, Number(number), signal)
  else if (text !== '') await sayOrReply(deps, text, signal)
}

/** A line that begins with `>` replies to the newest card, where there is one; what was pasted is a quotation. */
async function sayOrReply(deps: LineDeps, text: string, signal: AbortSignal): Promise<void> {
  const [, said] = /^> ?(\S.*)$/.exec(text) ?? []
  const card = deps.choices.findCard()
  if (said !== undefined && !card && deps.terminal) deps.tell('noCard')
  await say(deps, said !== undefined && card ? { text: said, replyTo: card.row } : { text }, signal)
}

export async function say(
  { mouth, own, waiting }: LineDeps,
  { text, replyTo }: { readonly text: string; readonly replyTo?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const id = mouth.newId()
  own.add(id)
  waiting.expect(id, Infinity)
  await mouth.say({ id, text, replyTo }, signal)
}

async function choose(deps: LineDeps, number: number, signal: AbortSignal): Promise<void> {
  const { mouth, choices, waiting, tell } = deps
  const choice = choices.find(number)
  if (!choice) return tell('noChoice')
  if (choice.gone) return tellGone(deps)
  const id = mouth.newId()
  const result = await mouth.press({ id, buttonId: choice.button.id }, signal)
  if (result.kind === 'WON') waiting.expectPress(id)
  else if (result.kind === 'ALREADY' || result.kind === 'STALE') tell(result.kind === 'ALREADY' ? 'already' : 'stale')
  else tellGone(deps)
}

/** A number that stands on the card may be an old button's. */
function tellGone({ choices, tell }: LineDeps): void {
  const row = choices.findCard()?.row
  tell('gone')
  if (row !== undefined) tell('now', toNumbers(...choices.numbersOf(row)))
}
