// Carries out what a tool wants done, within the turn that called it.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import { toReplyTo } from '#services/executor/context/in-group.ts'
import { toShown } from '#services/executor/context/made-up.ts'
import { callsOf, stepsDone } from '#services/executor/run/open-turn.ts'
import { carry, type Carried } from '#services/executor/step/carry.ts'
import { readEffects } from '#services/executor/step/read-effects.ts'
import type { TurnRun } from '#services/executor/turn/turn-run.ts'
import { failed, toFailure, type ToolOutcome } from './gateway.ts'

/** Of a press nobody knows whether it was made in a group. */
const isDirect = (event: ChatEvent): boolean => 'group' in event && !event.group

/** Names what a call of this turn leads to. */
export const toStep = ({ start, turn }: TurnRun, call: ToolCall): string =>
  `${start.turn}-${stepsDone(turn())}-${callsOf(turn()).findIndex(({ id }) => id === call.id)}`

/** What a tool wants that cannot be done is a failure of the tool. */
export async function carryOut(
  run: TurnRun,
  call: ToolCall,
  outcome: ToolOutcome,
): Promise<{ readonly outcome: ToolOutcome; readonly carried?: Carried }> {
  const feature = run.deps.features.findTool(call.name)?.feature
  let effects: readonly Effect[]
  try {
    effects = readEffects(outcome.effects ?? [])
  } catch (error) {
    return { outcome: toFailure(call.name, error) }
  }
  // Somebody may be asked elsewhere, by a letter, or later.
  if (
    outcome.ends &&
    !outcome.awaits &&
    !effects.some(({ kind }) => kind === 'ask' || kind === 'letter' || kind === 'signal' || kind === 'timer')
  )
    return { outcome: failed(`"${call.name}" failed: it waits for an answer and asks nothing.`) }
  if (effects.length === 0 || !feature) return { outcome }
  const { deps, claim, start } = run
  const facts = run.facts()
  const { turn, events: taken, language, taint } = facts
  const chosen = effects.flatMap((effect) => (effect.kind === 'choose' ? [effect.setting] : []))
  const isForOwners = chosen.some((id) => deps.features.findSetting(id)?.found.onlyOwners)
  const isAlone = taken.length > 0 && taken.every(isDirect) && !isForOwners
  const at = {
    feature,
    step: toStep(run, call),
    principal: start.principal,
    language,
    about: facts.aboutWords(`${call.arguments} ${JSON.stringify(effects)}`),
    answers: [],
    taint,
    ...toReplyTo(claim.state, start, taken),
    mayChoose: chosen.length > 0 && (isAlone || (await deps.isOwner(start.principal, claim.conversation))),
  }
  try {
    const shown = effects.map((effect) =>
      effect.kind === 'ask' ? { ...effect, text: toShown(claim, { turn, taint }, effect.text) } : effect,
    )
    return { outcome, carried: carry(deps, claim, shown, at) }
  } catch (error) {
    return { outcome: toFailure(call.name, error) }
  }
}
