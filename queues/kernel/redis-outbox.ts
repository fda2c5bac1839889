// The outbox on Redis: a sender takes the next row and tells what came of it. A row that only a newer release can read goes back to where it was.
import { isNewer } from '#shared/errors.ts'
import { toEndRow, toFirstRow } from '#shared/run/out-row.ts'
import { showAgainKind } from '#shared/run/question.ts'
import { orHeldBy, takeFromGone, type FindOwner } from '#queues/fleet/take-from-gone.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import { toStoredQuestion } from '#queues/questions/stored-question.ts'
import { text } from '#queues/reply.ts'
import type { UnitName } from '#queues/units.ts'
import type { ConversationUnits } from './conversation-units.ts'
import type { BeginResult, Kernel, PromoteResult, Sender } from './kernel.ts'
import { toBegin } from './unit-answers.ts'
import { isCorrupt } from './when-corrupt.ts'

/** Half-written text is of no use for long. */
const beginningExpiresInMs = 30_000
/** A row that only a newer release can read is tried again after that, by whoever sends then. */
const leftForMs = 1000

export function createRedisOutbox(
  units: ConversationUnits,
  findOwner: FindOwner,
): Pick<Kernel, 'begin' | 'promote' | 'settle'> {
  return {
    begin: (sender, op) =>
      takeFromGone(findOwner, (gone) =>
        callOutbox(units, sender, {
          name: 'begin',
          args: [...senderArgs(sender, op), ...gone],
          read: orHeldBy(toBegin),
        }),
      ),

    promote(sender, { turn, body, question }, op) {
      const rows = [toFirstRow(turn), toEndRow(turn), JSON.stringify(body), beginningExpiresInMs]
      const asked = question ? [question.id, ...toStoredQuestion(question)] : []
      const read = (answer: readonly unknown[]): PromoteResult =>
        answer[0] === 'SHOWN' ? { kind: 'SHOWN', receipt: text(answer[1]) } : toBegin(answer)
      return callOutbox(units, sender, {
        name: 'promote',
        args: [...senderArgs(sender, op), ...rows, ...asked],
        read,
      })
    },

    settle(sender, row, outcome, op) {
      const reason = 'reason' in outcome ? outcome.reason : ''
      const receipt = outcome.kind === 'sent' ? outcome.receipt : ''
      const retryMs = 'afterMs' in outcome ? Math.ceil(outcome.afterMs ?? 0) : 0
      const bodies = outcome.kind === 'split' ? outcome.bodies.map((body) => JSON.stringify(body)) : []
      const closed = 'closed' in outcome ? ['closed'] : []
      const args = [...senderArgs(sender, op), row, outcome.kind, reason, receipt, retryMs, ...closed, ...bodies]
      return callOutbox(units, sender, { name: 'settle', args, read: toBegin })
    },
  }
}

type OutboxCall<T> = {
  readonly name: UnitName
  readonly args: readonly (string | number)[]
  readonly read: (answer: readonly unknown[]) => T
}

/** Calls a unit that answers with a row. The sender's lease goes back with a row that only a newer release can read. */
async function callOutbox<T>(
  { unit, disownBroken }: ConversationUnits,
  sender: Sender,
  { name, args, read }: OutboxCall<T>,
): Promise<T | BeginResult> {
  let row = ''
  try {
    return await unit(name, sender.conversation, args, (answer) => {
      row = text(answer[1])
      return read(answer)
    })
  } catch (error) {
    if (isCorrupt(error)) {
      await disownBroken(sender.conversation, sender.owner)
      return { kind: 'EMPTY' }
    }
    if (!isNewer(error)) throw error
    const left = senderArgs({ ...sender, leave: true }, randomId())
    await unit('settle', sender.conversation, [...left, row, 'left', error.message, '', leftForMs], () => undefined)
    return { kind: 'WAIT', forMs: leftForMs }
  }
}

const senderArgs = (sender: Sender, op: string): (string | number)[] => [
  sender.owner,
  sender.ttlMs,
  sender.sendTimeoutMs,
  sender.idempotentForMs,
  sender.leave ? 'leave' : '',
  op,
  `notice-${randomId()}`,
  toQuestionId(sender.conversation, randomId()),
  showAgainKind,
]
