// What a step has to do beside its own messages, questions and timers: letters to other conversations, signals to tasks, texts that are kept whole, and
// what somebody did with an answer.
import { homeOf, toTask, type Address } from '#shared/chat/address.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { BotError } from '#shared/errors.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { joinTaint, toTainted, type Taint } from '#shared/model/taint.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import { toTurn } from '#shared/run/out-row.ts'
import type { Recorded } from '#shared/run/record.ts'
import { joinKept, type Caused, type Letter, type Signal } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { toKind } from '#services/executor/state/features.ts'
import { boundAbout } from '#services/executor/state/state.ts'
import { toLetter } from './to-letter.ts'

type Of<K extends Effect['kind']> = Extract<Effect, { kind: K }>

type ElsewhereEffect = Of<'letter' | 'signal' | 'drop-task' | 'artifact' | 'drop-artifact' | 'feedback'>

type At = {
  readonly feature: Feature
  readonly step: string
  readonly principal: PrincipalId
  readonly language: Language
  readonly about: readonly string[]
  readonly taint?: Taint | undefined
  readonly byItself?: boolean | undefined
}

/** Gathers what one step has to do elsewhere. `add` throws BotError `internal` for what cannot be told. */
export function createElsewhere(claim: Claim, at: At) {
  const letters: Letter[] = []
  const signals: Signal[] = []
  const drops: number[] = []
  let kept: Pick<Caused, 'artifacts' | 'dropsArtifacts'> = {}
  const records: Recorded[] = []
  return {
    letters,
    add(effect: ElsewhereEffect): void {
      if (effect.kind === 'letter') letters.push(toLetter(claim, effect, { ...at, ordinal: letters.length }))
      else if (effect.kind === 'signal') signals.push(toSignal(claim, effect, { ...at, ordinal: signals.length }))
      else if (effect.kind === 'drop-task') drops.push(effect.task)
      else if (effect.kind === 'feedback') records.push(toFeedback(effect, at.principal))
      else if (effect.kind === 'artifact') kept = joinKept(kept, { artifacts: [toArtifact(claim, effect, at)] })
      else kept = joinKept(kept, { dropsArtifacts: [effect.name] })
    },
    all: () => ({ letters, signals, drops, records, ...kept }),
  }
}

function toSignal(
  { address }: Pick<Claim, 'address'>,
  { to, letter, payload, serves, begins, stops }: Of<'signal'>,
  { feature, step, principal, language, about, taint, byItself, ordinal }: At & { readonly ordinal: number },
): Signal {
  const home = homeOf(address)
  const target = toTarget(address, to)
  const id = `${address}/${step}-signal-${ordinal}`
  const whose = { v: 1, kind: 'letter', id, conversation: home, principal: serves ?? principal, from: home } as const
  // A signal without words names no messages: if one of them is forgotten, what is made of the signal stays.
  const comesOf = {
    ...(payload === '' || about.length === 0 ? {} : { regarding: [...about] }),
    ...(payload === '' ? {} : toTainted(taint)),
    ...(byItself ? { byItself } : {}),
  }
  return {
    to: target,
    event: { ...whose, letter: toKind(feature, letter), language, ...comesOf, payload },
    ...(begins ? { begins: boundAbout(about) } : {}),
    ...(stops ? { stops: serves ?? principal } : {}),
  }
}

/** Throws BotError `internal` for a task that would tell another one, and a conversation that would tell itself. */
function toTarget(address: Address, to: Of<'signal'>['to']): Address {
  const home = homeOf(address)
  const isOwn = address === home
  if (isOwn && typeof to === 'number') return toTask(home, to)
  if (!isOwn && to === 'home') return home
  if (!isOwn && to === 'self') return address
  throw new BotError('internal', `${isOwn ? 'A conversation' : 'A task'} cannot signal "${to}".`)
}

function toArtifact(
  { state }: Pick<Claim, 'state'>,
  { name, text, source = 'own', about: told = [], taint: read }: Of<'artifact'>,
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

function toFeedback({ what, value, on }: Of<'feedback'>, by: PrincipalId): Recorded {
  const said = { v: 1, what, by, ...(value === undefined ? {} : { value }) } as const
  return { kind: 'feedback', on: 'card' in on ? { turn: toTurn(on.card) } : on, feedback: said }
}
