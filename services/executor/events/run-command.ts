// A slash command: the feature that knows it answers, within the rights of whoever gave it.
import type { MessageEvent, SlashCommand } from '#shared/chat/event.ts'
import { BotError } from '#shared/errors.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { isForAdmins, mayChange, onlyReads, sayNotAllowed } from '#shared/feature/rights.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { toLanguage } from '#services/executor/state/state.ts'
import { carry } from '#services/executor/step/carry.ts'
import { attempt, nothing, toAt, type Applied } from './applied.ts'
import { toAsking } from './asking.ts'
import { said } from './said.ts'
import { toUnknown } from './unknown-command.ts'

export async function runCommand(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event, name, args }: { item: QueuedEvent; event: MessageEvent } & SlashCommand,
): Promise<Applied> {
  const known = deps.features.findCommand(name)
  // The Latin words of a command are its own, not its sender's; nor is a quoted line, such as the one at the head of CONFIG.md. Plain words are theirs.
  const isPlain = event.command === undefined && !event.text.startsWith('/')
  const words = args.replaceAll(/^[ \t]*>.*$|[a-z]/gim, '')
  const language = isPlain ? toLanguage(claim.state, event.text) : toLanguage(claim.state, words, event.language)
  if (!known) {
    await leaveUnknown(deps, 'command', name)
    if (event.group && !event.addressed) return nothing(claim.state, 'command')
    return said(deps, claim.state, { item, language, text: toUnknown(deps.features.commands, event, language) })
  }
  const { feature, found: command } = known
  const at = toAt({ feature, item, language })
  const asking = await toAsking(deps, claim, at)
  const isAllowed = !isForAdmins(command, args) || mayChange(event.group, { owner: asking.owner, event })
  if (!isAllowed) return { ...carry(deps, claim, sayNotAllowed(language), at), what: event.kind }
  return await attempt(deps, claim, at, async () => {
    // What this very message tells of its sender's program may not be known of the person yet.
    const zone = async (): Promise<string | undefined> => (await asking.zone()) ?? event.zone
    const effects = await command.run({ ...asking, zone, event, args, commands: deps.features.commands })
    if (onlyReads(command, args) && effects.some(({ kind }) => !shows.has(kind)))
      throw new BotError('internal', `The command ${command.name} only reads, and wants something changed.`)
    const done = carry(deps, claim, effects, at)
    // Where nothing was said but commands, their sender's program tells what is spoken.
    const heard = done.state.heard ?? event.language
    return { ...done, ...(heard ? { state: { ...done.state, heard } } : {}), what: event.kind }
  })
}

/** Of a command that only reads, which is answered while a turn may change the state. */
const shows: ReadonlySet<Effect['kind']> = new Set(['send', 'show', 'ask'] as const)
