// Projections of features as readers of records. What they want done goes by letter, for whom the record names, or for its chat.
import { toChat, type PrincipalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Projection } from '#shared/feature/projection.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { Letter } from '#shared/run/step.ts'
import { readEffects } from '#services/executor/step/read-effects.ts'
import { toKind, type Features } from '#services/executor/state/features.ts'
import { within } from '#services/executor/run/within.ts'
import { toLetter } from '#services/executor/step/to-letter.ts'

/** Longer than a model that answers slowly; one that waits for ever must not hold up what comes after. */
const mostTakeMs = 120_000

export type Reader = {
  readonly name: string
  take(line: RecordLine, signal: AbortSignal): Promise<readonly Letter[]>
}

export const toReaders = ({ all }: Pick<Features, 'all'>): readonly Reader[] =>
  all.flatMap((feature) => (feature.after ?? []).map((projection) => toReader(feature, projection)))

function toReader(feature: Feature, projection: Projection): Reader {
  const name = toKind(feature, projection.name)
  return {
    name,
    async take(line, signal) {
      const effects = readEffects(await within(projection.take(line, signal), mostTakeMs, signal))
      return effects.map((effect, ordinal): Letter => {
        const principal = toPrincipal(line)
        if (effect.kind !== 'letter') throw new BotError('internal', `${name} wants done what is no letter.`)
        const tainted = line.kind === 'turn' ? line.record.taint : undefined
        const at = {
          feature,
          step: `${name}-${line.name}`,
          principal,
          language: line.kind === 'turn' ? line.record.language : undefined,
          about: 'messages' in line ? line.messages : [],
          taint: tainted,
          byItself: true,
          reports: true,
          ordinal,
        }
        return toLetter(line, effect, at)
      })
    },
  }
}

/** Of what is forgotten or gone nobody is named: the chat itself, which in a direct one is its person. */
function toPrincipal(line: RecordLine): PrincipalId {
  if ('record' in line) return line.record.principal
  return line.kind === 'feedback' ? line.feedback.by : toChat(line.conversation)
}
