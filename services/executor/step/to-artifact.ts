// A text that a feature wants kept whole, made into an artifact: it goes with the messages that its step is about, and with those that it repeats.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { joinTaint, toTainted, type Taint } from '#shared/model/taint.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { boundAbout } from '#services/executor/state/state.ts'

type At = { readonly principal: PrincipalId; readonly about: readonly string[]; readonly taint?: Taint | undefined }

export function toArtifact(
  { state }: Pick<Claim, 'state'>,
  { name, text, source = 'own', about: told = [], taint: read }: Extract<Effect, { kind: 'artifact' }>,
  { principal: by, about, taint }: At,
): Artifact {
  const all = joinTaint(read, taint)
  return {
    name,
    kind: 'work',
    text,
    about: boundAbout([...told, ...about]),
    // What was written after others' words were read may repeat them.
    source: all.length > 0 ? 'others' : source,
    by,
    ...toTainted(all),
    session: state.session.id,
  }
}
