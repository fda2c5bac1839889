// An edited message: what was kept of its words before goes, and one feature may have something to say of it.
import type { EditEvent } from '#shared/chat/event.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { toLanguage } from '#services/executor/state/state.ts'
import { carry } from '#services/executor/step/carry.ts'
import { attempt, nothing, toAt, type Applied } from './applied.ts'

export async function applyEdit(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: EditEvent },
): Promise<Applied> {
  const edited = await offer(deps, claim, { item, event })
  const message = event.messageId
  const records = [
    { kind: 'feedback', on: { message }, feedback: { v: 1, what: 'edit', by: event.principal } },
    { kind: 'edited', message },
  ] as const
  return { ...edited, records: [...edited.records, ...records] }
}

/** The first feature that has something to say of an edited message says it; in a group as often as commands are answered, since others read it too. */
async function offer(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: EditEvent },
): Promise<Applied> {
  const { state, conversation } = claim
  if (!state.answered.includes(event.messageId)) return nothing(state, 'edit')
  if (event.group && (await deps.pace(event.principal, conversation)) !== 'answer') return nothing(state, 'edit')
  const language = toLanguage(state, event.text)
  for (const feature of deps.features.all) {
    const effects = feature.edited?.({ event, language, slice: sliceOf(state, feature) }) ?? []
    if (effects.length === 0) continue
    const at = toAt({ feature, item, language })
    if (event.group) deps.noteAnswer(event.principal)
    return await attempt(deps, claim, at, async () => ({ ...carry(deps, claim, effects, at), what: 'edit' }))
  }
  return nothing(state, 'edit')
}
