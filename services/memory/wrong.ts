// /memory wrong, and words that say that an answer is wrong: what of memory that answer was given is shown, so that it can be put right. Where the right
// words are said at once, they are offered for the record that tells otherwise. Where there is none, what was said is a message as any other.
import { agree } from '#shared/memory/agree.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { say } from '#shared/feature/say.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { readAll } from '#services/memory/file/read-all.ts'
import { asMessage, isPlain } from './as-message.ts'
import { readOwnSlot } from './comparing.ts'
import { givenName } from './part.ts'
import type { MemoryDeps } from './ports.ts'
import { offerSources, offerWords } from './sources.ts'

const wish = /^(?:wrong|不对|错了)(?:[\s:：,，]+|$)/iu

/** The right words behind it; empty where none are said. Undefined for another wish. */
export const readWrong = (args: string): string | undefined =>
  wish.test(args.trim()) ? args.trim().replace(wish, '') : undefined

export type WrongDeps = MemoryDeps & Pick<Ports['records'], 'findTurn'>

export async function showWrong(
  deps: WrongDeps,
  context: CommandContext,
  right: string,
): Promise<readonly Effect<never>[]> {
  const { language, event } = context
  const record = right === '' || event.group ? undefined : await findOther(deps, context, right)
  if (record) return offerWords({ language, record, words: right })
  const { given } = (right === '' ? await findGiven(deps, context) : undefined) ?? { given: [] }
  const shown = await offerSources(deps, context, given)
  if (shown.length > 0) return shown
  if (isPlain(context)) return asMessage(context)
  return right === ''
    ? say(language, '那个回答没有用到我记着的。', 'That answer was given nothing of what I keep.')
    : say(language, '我没有记着与这不一样的。', 'I keep nothing that says otherwise.')
}

/** What the answer was given that is replied to, or the last one; only where it was that person's own. */
export async function findGiven(
  { findTurn }: Pick<WrongDeps, 'findTurn'>,
  { event, conversation, principal }: CommandContext,
): Promise<{ readonly given: readonly string[]; readonly endedAt: number } | undefined> {
  const by = event.replyTo ? { message: event.replyTo.messageId } : 'last'
  const record = event.group ? undefined : (await findTurn(conversation, by))?.record
  if (!record || record.for !== undefined || (record.asker ?? record.principal) !== principal) return undefined
  const given = record.context.flatMap(({ name, reason }) => (name === givenName ? [reason] : []))
  return { given, endedAt: record.endedAt }
}

/** The newest record of theirs that has another value of what the words tell. */
async function findOther(
  deps: MemoryDeps,
  { principal }: Pick<CommandContext, 'principal'>,
  right: string,
): Promise<MemoryRecord | undefined> {
  const slot = readOwnSlot({ text: right })
  if (!slot) return undefined
  const told = (await readAll(deps.memory, ofPerson(principal))).records
    .filter(({ speaker, supersededBy }) => speaker === principal && supersededBy === undefined)
    .toSorted((a, b) => b.saidAt - a.saidAt)
    .map((record) => ({ record, slot: readOwnSlot(record) }))
  const findOf = (name: string) => told.find((one) => one.slot?.of === name)
  const same = findOf(slot.of) ?? findOf(toTwin(slot.of))
  return same?.slot && !agree(same.slot.value, slot.value) ? same.record : undefined
}

/** Where somebody lives and their address are told by either. */
const toTwin = (of: string): string =>
  of.replace(/^(?:home|address)(?= )/u, (one) => (one === 'home' ? 'address' : 'home'))
