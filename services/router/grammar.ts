// The turns of phrase of Chinese and English that the rules look for (grammar.json) as regular expressions. Unlike the
// words of default-routing.json they are no configuration: the rules depend on their shape.
import data from './grammar.json' with { type: 'json' }

type Section = keyof typeof data
export type Forms<S extends Section> = { readonly [Name in keyof (typeof data)[S]]: RegExp }

/** One section; a form given as a list matches any of it, and `<name>` in a form stands for one of `words` or `parts`. */
export function formsOf<S extends Section>(
  section: S,
  flags = 'u',
  words: Readonly<Record<string, string>> = {},
): Forms<S> {
  const known: Readonly<Record<string, string>> = { ...data.parts, ...words }
  const filled = (source: string): string =>
    source.replace(/<([a-zA-Z]{2,})>/gu, (whole, name: string) => filled(known[name] ?? whole))
  const compiled = Object.entries<string | string[]>(data[section]).map(([name, form]) => [
    name,
    new RegExp(filled([form].flat().join('|')), flags),
  ])
  // The entries are those of the section, each compiled.
  return Object.fromEntries(compiled) as Forms<S>
}
