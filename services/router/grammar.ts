// The turns of phrase of Chinese and English that the router looks for, as regular expressions. Each is a rule in
// `grammar/`: what it finds, by which expression, and examples. Unlike the words of default-routing.json rules are no
// configuration: the modules that ask for them depend on their shape.
import { BotError } from '#shared/errors.ts'
import answering from '#services/router/grammar/answering.json' with { type: 'json' }
import answer from '#services/router/grammar/classify.json' with { type: 'json' }
import meta from '#services/router/grammar/meta.json' with { type: 'json' }
import text from '#services/router/grammar/normalise.json' with { type: 'json' }
import offer from '#services/router/grammar/offer.json' with { type: 'json' }
import parts from '#services/router/grammar/parts.json' with { type: 'json' }
import phatic from '#services/router/grammar/phatic.json' with { type: 'json' }
import frame from '#services/router/grammar/request-frame.json' with { type: 'json' }
import task from '#services/router/grammar/task.json' with { type: 'json' }
import wish from '#services/router/grammar/wish.json' with { type: 'json' }
import eitherWish from '#services/router/grammar/wish-words.json' with { type: 'json' }

/**
 * `form` is an expression, or several of which any may fit; `<name>` in it stands for a part, or for words of the
 * configuration. `fits` are examples and `not` near misses, both as the rule meets them: folded, most in lower case, and no
 * more of the message than the rule is asked about. A test holds every rule to them.
 */
export type Rule = {
  readonly says: string
  readonly form: string | readonly string[]
  readonly fits: readonly string[]
  readonly not?: readonly string[]
}
/** One rule, or several under names of their own, of which any may fit. */
type Form = Rule | { readonly [name: string]: Rule }
type Rules = { readonly [section: string]: { readonly [name: string]: Form } }
type Words = Readonly<Record<string, string>>

/** Every rule, by section and name. */
export const grammar = {
  ...answer,
  ...answering,
  ...frame,
  ...meta,
  ...offer,
  ...phatic,
  ...task,
  ...text,
  ...wish,
} satisfies Rules
type Section = keyof typeof grammar
type Forms<S extends Section> = { readonly [Name in keyof (typeof grammar)[S]]: RegExp }

/** What the forms of `wishForms` say differently for the two wishes. */
export const wishWords = { brief: wordsOf('brief'), detailed: wordsOf('detailed') } as const

/** One section, each form as one expression; `words` are put where a form names them. */
export function formsOf<S extends Section>(section: S, flags = 'u', words: Words = {}): Forms<S> {
  const forms: Record<string, RegExp> = {}
  for (const [name, form] of Object.entries<Form>(grammar[section])) {
    const sources = rulesOf(form).flatMap((rule) => rule.form)
    forms[name] = new RegExp(fill(sources.join('|'), words), flags)
  }
  if (!isWhole(forms, section)) throw new BotError('config', `The grammar lacks a form of "${section}".`)
  return forms
}

/** The rules of a form, in the order in which they are tried. */
export function rulesOf(form: Form): readonly Rule[] {
  return isRule(form) ? [form] : Object.values(form)
}

/** An expression with its parts and words in their places. */
export function fill(source: string, words: Words): string {
  const known: Readonly<Record<string, { readonly form: string }>> = parts
  return source.replace(/<([a-zA-Z]{2,})>/gu, (whole, name: string) => {
    const part = words[name] ?? known[name]?.form
    return part === undefined ? whole : fill(part, words)
  })
}

function wordsOf(either: 'brief' | 'detailed'): Words {
  return Object.fromEntries(Object.entries(eitherWish).map(([name, word]) => [name, word[either]]))
}

function isRule(form: Form): form is Rule {
  return typeof form['says'] === 'string'
}

function isWhole<S extends Section>(forms: Readonly<Record<string, RegExp>>, section: S): forms is Forms<S> {
  return Object.keys(grammar[section]).every((name) => name in forms)
}
