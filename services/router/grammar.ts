// The turns of phrase of Chinese and English that the rules look for (grammar.json), as regular expressions. Unlike the
// words of default-routing.json they are no configuration: the rules depend on their shape.
import data from './grammar.json' with { type: 'json' }

type Section = Exclude<keyof typeof data, 'parts' | 'brief' | 'detailed'>
type Forms<S extends Section> = { readonly [Name in keyof (typeof data)[S]]: RegExp }

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
  const compiled = Object.entries<string | string[]>(data[section]).map(([name, form]) => [
    name,
    new RegExp(fill([form].flat().join('|')), flags),
  ])
  // Object.fromEntries forgets the names; they are those of the section.
  return Object.fromEntries(compiled) as Forms<S>
}
