// Words that are kept, with all that is known of where they come from: whose they are, what others wrote that they are made of, and of which
// messages. A value can be had only together with that: `retell` makes a text for the model of it and `tell` a message. So a feature that forgets to pass
// it on does not compile. The executor alone makes such values (`keeper`); a feature has them by `keep` of what it is called with.
import { z } from 'zod'
import { principalId, type PrincipalId } from '#shared/chat/conversation.ts'
import { source, type Source } from '#shared/model/source.ts'
import { anotherMember, joinTaint, taint, toTainted, type Taint } from '#shared/model/taint.ts'
import { BotError } from '#shared/errors.ts'
import type { StepEffect, TurnEffect } from './effect.ts'

/** A text of ours in a slice, such as an id, a zone or a hash: nobody's words. */
export const ours = z.string().brand<'ours'>()
export type Ours = z.infer<typeof ours>
export const toOurs = (text: string): Ours => ours.parse(text)

const origin = z.object({
  /** Of anybody's words `person`; `own` where the bot's are among them. */
  source: source.exactOptional(),
  /** Of a person's words: who wrote them, or for whom the model did. */
  by: principalId.exactOptional(),
  /** What others wrote that they are made of. */
  taint: taint.exactOptional(),
  /** Platform ids of the messages that they come from. */
  about: z.array(z.string()),
})
export type Origin = {
  readonly source?: Source
  readonly by?: PrincipalId
  readonly taint?: Taint
  readonly about: readonly string[]
}

/** As many messages lead to a text at most. */
const mostAbout = 200
const boundAbout = (ids: readonly string[]): string[] => [...new Set(ids)].slice(-mostAbout)

class KeptValue<out T> {
  readonly #value: T
  readonly #from: Origin

  constructor(value: T, from: Origin) {
    this.#value = value
    this.#from = from
  }

  /** Platform ids of the messages that it goes with. */
  get about(): readonly string[] {
    return this.#from.about
  }

  /** As it is stored. */
  toJSON(): Origin & { readonly value: T } {
    return { value: this.#value, ...this.#from }
  }

  static values<T>(all: readonly KeptValue<T>[]): readonly T[] {
    return all.map((one) => one.#value)
  }

  static from(one: KeptValue<unknown>): Origin {
    return one.#from
  }

  static rework<T, R>(one: KeptValue<T>, compose: (value: T) => R): KeptValue<R> {
    return new KeptValue(compose(one.#value), one.#from)
  }
}
export type Kept<T = string> = KeptValue<T>
export type Keep = <T>(value: T) => Kept<T>

/** For the executor, which knows where the words of a step come from. */
export const keeper =
  ({ taint: read, about, ...from }: Origin): Keep =>
  (value) =>
    new KeptValue(value, { ...from, ...toTainted(read), about: boundAbout(about) })

/** How a slice stores it. */
export const keptOf = <T>(schema: z.ZodType<T>) =>
  origin.extend({ value: schema }).transform(({ value, ...from }): Kept<T> => new KeptValue(value, from))

/** What tells no words. */
export type Wordless = number | boolean | undefined | readonly Wordless[] | { readonly [name: string]: Wordless }

/** Looks at the values, and tells of them no word: whether one fits, or which. */
export const peek = <T, R extends Wordless | Promise<Wordless>>(
  all: readonly Kept<T>[],
  look: (values: readonly T[]) => R,
): R => look(KeptValue.values(all))

/** Another value that is made of one that is kept: all that is known of where that comes from holds of this, too. */
export const rework = <T, R>(kept: Kept<T>, compose: (value: T) => R): Kept<R> => KeptValue.rework(kept, compose)

const hashName = /^[a-z]{1,8}-[0-9a-f]{64}$/

/** The name of a text that is kept by its hash: that tells no word. Throws BotError `internal` for any other text. */
export function peekHash<T>(kept: Kept<T>, look: (value: T) => string | undefined): string | undefined {
  const [found] = KeptValue.values([kept]).map(look)
  if (found === undefined || hashName.test(found)) return found
  throw new BotError('internal', 'What was looked at is no hash. A text comes out by retell and tell.')
}

/** What is known of all of them together. */
const join = (all: readonly Kept<unknown>[]): { readonly about: string[]; readonly taint?: string[] } => {
  const from = all.map((one) => KeptValue.from(one))
  return {
    about: boundAbout(from.flatMap(({ about }) => about)),
    ...toTainted(joinTaint(...from.map((one) => one.taint))),
  }
}

/** Tells people of them, in a message that goes with theirs. */
export const tell = <T>(
  all: readonly Kept<T>[],
  compose: (values: readonly T[]) => string,
  how: Pick<Extract<StepEffect<never>, { kind: 'send' }>, 'named' | 'replaces' | 'inPlace'> = {},
): StepEffect<never> => ({
  ...how,
  kind: 'send',
  text: compose(KeptValue.values(all)),
  ...join(all),
})

/** Asks people with a card that repeats them. */
export const tellAsking = <T>(
  all: readonly Kept<T>[],
  asked: Omit<Extract<StepEffect<never>, { kind: 'ask' }>, 'kind' | 'text' | 'about' | 'taint'>,
  compose: (values: readonly T[]) => string,
): StepEffect<never> => ({ ...asked, kind: 'ask', text: compose(KeptValue.values(all)), ...join(all) })

/** Begins a turn on them; it comes of the messages of `about`, too. */
export function tellTurn<T>(
  all: readonly Kept<T>[],
  { about, ...begun }: Omit<TurnEffect, 'kind' | 'text' | 'taint'> & Required<Pick<TurnEffect, 'about'>>,
  compose: (values: readonly T[]) => string | Pick<TurnEffect, 'text' | 'seeks' | 'calls' | 'unsure'>,
): TurnEffect {
  const from = join(all)
  const told = compose(KeptValue.values(all))
  return {
    ...begun,
    ...from,
    kind: 'turn',
    ...(typeof told === 'string' ? { text: told } : told),
    about: boundAbout([...about, ...from.about]),
  }
}

/** Keeps a text whole that is made of what was kept, under a name: as much others' words as that was, and gone with the messages of that. */
export function keepWhole<T>(
  all: readonly Kept<T>[],
  { principal }: { readonly principal: PrincipalId },
  compose: (values: readonly T[]) => { readonly name: string; readonly text: string },
): Extract<StepEffect<never>, { kind: 'artifact' }> {
  const { source: whose, ...from } = joinFor(all, principal)
  return { kind: 'artifact', ...compose(KeptValue.values(all)), source: whose === 'others' ? whose : 'own', ...from }
}

export type Retelling = Required<Omit<Origin, 'by'>> & { readonly text: string }
class RetoldText {
  readonly #told: Retelling

  constructor(told: Retelling) {
    this.#told = told
  }

  static read(found: unknown): Retelling | undefined {
    return typeof found === 'object' && found !== null && #told in found ? found.#told : undefined
  }
}
/** A text for the model, made of what was kept, with whose words it is. */
export type Retold = RetoldText
/** For the executor; undefined for anything else. */
export const readRetold = RetoldText.read

/** For whom the turn serves: words are that person's own where they alone wrote all of them, and nothing of others is in them. */
export function retell<T>(
  all: readonly Kept<T>[],
  { principal }: { readonly principal: PrincipalId },
  compose: (values: readonly T[]) => string,
): Retold {
  return new RetoldText({ text: compose(KeptValue.values(all)), ...joinFor(all, principal) })
}

/** What is known of all of them together, for whom the turn serves. */
function joinFor(all: readonly Kept<unknown>[], principal: PrincipalId): Omit<Retelling, 'text'> {
  const from = all.map((one) => KeptValue.from(one))
  const sources = from.map((one) => toSource(one, principal))
  const isAnothers = from.some(({ source: whose = 'person', by }) => whose === 'person' && by !== principal)
  const { about, taint: read } = join(all)
  const isPersons = sources.length > 0 && sources.every((one) => one === 'person')
  return {
    source: sources.includes('others') ? 'others' : isPersons ? 'person' : 'own',
    taint: joinTaint(read, isAnothers ? [anotherMember] : undefined),
    about,
  }
}

function toSource({ source: whose = 'person', by, taint: read }: Origin, principal: PrincipalId): Source {
  if (whose !== 'person') return whose
  return read?.length || by !== principal ? 'others' : 'person'
}
