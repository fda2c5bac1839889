// The turns of phrase of Chinese and English that the rules look for (grammar.json), as regular expressions. Unlike the
// words of default-routing.json they are no configuration: the rules depend on their shape.
import { BotError } from '#shared/errors.ts'
import data from './grammar.json' with { type: 'json' }

type Section = Exclude<keyof typeof data, 'parts' | 'brief' | 'detailed' | 'signs'>
type Forms<S extends Section> = { readonly [Name in keyof (typeof data)[S]]: RegExp }

/** Traditional characters and, at the same place, their simplified forms. */
export const signs = data.signs
/** What the forms of `wishForms` say differently for the two wishes. */
export const wishWords = { brief: data.brief, detailed: data.detailed } as const

/** One section; a form given as a list matches any of it, and `<name>` in a form stands for one of `words` or `parts`. */
export function formsOf<S extends Section>(
  section: S,
  flags = 'u',
  words: Readonly<Record<string, string>> = {},
): Forms<S> {
  const known: Readonly<Record<string, string>> = { ...data.parts, ...words }
  const fill = (source: string): string =>
    source.replace(/<([a-zA-Z]{2,})>/gu, (whole, name: string) => {
      const part = known[name]
      return part === undefined ? whole : fill(part)
    })
  const source = (form: string | readonly string[]): string => fill(typeof form === 'string' ? form : form.join('|'))
  const forms: Record<string, RegExp> = {}
  for (const [name, form] of Object.entries<string | string[]>(data[section]))
    forms[name] = new RegExp(source(form), flags)
  if (!isWhole(forms, section)) throw new BotError('config', `grammar.json lacks a form of "${section}".`)
  return forms
}

function isWhole<S extends Section>(forms: Readonly<Record<string, RegExp>>, section: S): forms is Forms<S> {
  return Object.keys(data[section]).every((name) => name in forms)
}
