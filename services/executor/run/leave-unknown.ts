// What this process does not know, while another one of the fleet does: during an update that one is newer, or older.
import { BotError } from '#shared/errors.ts'
import { toKnown } from '#services/executor/state/features.ts'
import type { ExecutorDeps } from './deps.ts'

/**
 * Throws BotError `store-newer`, which leaves the conversation to another process, where one knows it. Else it is of a feature that this
 * fleet has no more, or never had.
 */
export async function leaveUnknown(
  { isKnownElsewhere }: Pick<ExecutorDeps, 'isKnownElsewhere'>,
  what: 'question' | 'timer' | 'letter' | 'command' | 'tool',
  name: string,
): Promise<void> {
  if (await isKnownElsewhere(toKnown(what, name)))
    throw new BotError(
      'store-newer',
      `This process does not know the ${what} "${name.slice(0, 80)}", another one does.`,
    )
}
