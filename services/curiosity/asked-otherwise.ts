// What the model asks people itself, by a card in its turn: what is answered there is known, and while a person is asked there the desk asks nothing of that
// session, since nobody knows whether it would be the same.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Desks } from '#shared/desk/desks.ts'
import { ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import type { Ports } from '#shared/feature/ports.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { findBook, mayAsk, toHash } from '#services/curiosity/desk/book.ts'

/** As the tool is called (`services/questions`). */
const asking = 'human_ask'

/** It ended since it asked a person: their answer, or its end, begins the next turn. */
export const waitsForPerson = ({ ending, tools }: Pick<TurnRecord, 'ending' | 'tools'>): boolean =>
  ending === 'suspended' && tools.some(({ name, ok }) => name === asking && ok)

const answered = /^((?:> [^\n]{0,1000}\n){1,8})([^]+)$/u

/** Before an answer stands what was asked, a quotation: both as one statement, so that it closes a doubt which has the words of the question. */
export function withQuestion(said: string): string {
  const [, quoted = '', answer = ''] = answered.exec(said) ?? []
  const question = quoted
    .replaceAll(/^> /gmu, '')
    .replaceAll(/[\s?？]+/gu, ' ')
    .trim()
  return question === '' ? said : `${question}: ${answer}`
}

type Of = {
  readonly conversation: ConversationId
  readonly session: string
  readonly people: readonly PrincipalId[]
}

type HoldDeps = { readonly memory: MemoryStore; readonly desks: Desks } & Pick<Ports['records'], 'findTurns'>

/** Whether a person is asked there now: what waits of this session is not asked as long, and may be asked again afterwards. Safe to repeat. */
export async function holdWhileAsked(
  { findTurns, ...deps }: HoldDeps,
  { conversation, session }: Omit<Of, 'people'>,
): Promise<boolean> {
  const all = await findTurns(conversation, session)
  const last = all.at(-1)?.record
  const isAsking = last !== undefined && waitsForPerson(last)
  await hold(deps, { conversation, session, people: all.map(({ record }) => record.principal) }, isAsking)
  return isAsking
}

/** What stands on a card stays there. */
async function hold(
  { memory, desks }: Pick<HoldDeps, 'memory' | 'desks'>,
  { conversation, session, people }: Of,
  isHeld: boolean,
): Promise<void> {
  for (const principal of new Set(people)) {
    const scope = ofAsked(principal)
    const read = await memory.read(scope)
    const own = (read === 'same' ? [] : read.records).filter(
      ({ asks }) => asks?.in === conversation && asks.session === session && (asks.held === true) !== isHeld,
    )
    if (own.length === 0) continue
    const book = await findBook(desks, principal)
    for (const { number, asks } of own)
      if (mayAsk(book, toHash(asks?.key ?? '')))
        await memory.change(scope, number, (record) => (record.asks ? withHeld(record, isHeld) : undefined))
    if (!isHeld) await desks.wait(principal, 0)
  }
}

function withHeld({ asks, ...record }: MemoryRecord, isHeld: boolean): MemoryRecord {
  if (asks === undefined) return record
  const { held: _, ...rest } = asks
  return { ...record, asks: isHeld ? { ...rest, held: true } : rest }
}
