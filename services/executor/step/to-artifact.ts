// A text that a feature wants kept whole, made into an artifact: it goes with the messages that its step is about.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { toTainted, type Taint } from '#shared/model/taint.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { boundAbout } from '#services/executor/state/state.ts'

type At = { readonly principal: PrincipalId; readonly about: readonly string[]; readonly taint?: Taint | undefined }

export const toArtifact = (
  { state }: Pick<Claim, 'state'>,
  { name, text, source = 'own' }: Extract<Effect, { kind: 'artifact' }>,
  { principal: by, about, taint }: At,
): Artifact => ({
  name,
  kind: 'work',
  text,
  about: boundAbout(about),
  source,
  by,
  ...toTainted(taint),
  session: state.session.id,
})
