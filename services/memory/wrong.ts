// /memory wrong, and words that say that an answer is wrong: what of memory that answer was given is shown, so that it can be put right. Where it was given
// none, what was said is a message as any other.
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { say } from '#shared/feature/say.ts'
import { givenName } from './part.ts'
import type { MemoryDeps } from './ports.ts'
import { offerSources } from './sources.ts'

const wish = /^(?:wrong|不对|错了)$/iu

export const isWrong = (args: string): boolean => wish.test(args.trim())

type Deps = MemoryDeps & Pick<Ports['records'], 'findTurn'>

export async function showWrong(deps: Deps, context: CommandContext): Promise<readonly Effect<never>[]> {
  const { event, conversation, principal, language, about } = context
  const by = event.replyTo ? { message: event.replyTo.messageId } : 'last'
  const record = event.group ? undefined : (await deps.findTurn(conversation, by))?.record
  const isOwn = record && record.for === undefined && (record.asker ?? record.principal) === principal
  const given = isOwn ? record.context.flatMap(({ name, reason }) => (name === givenName ? [reason] : [])) : []
  const shown = await offerSources(deps, context, given)
  if (shown.length > 0) return shown
  if (event.command === undefined) return [{ kind: 'turn', text: event.text, about }]
  return say(language, '那个回答没有用到我记着的。', 'That answer was given nothing of what I keep.')
}
