// Puts the texts of Lua units together. Redis runs the whole text in each call, so every function it defines is made anew each time: a unit
// gets those that it names, and what these name, out of all that units share.

const definition = /^(?=local )/m
const defined = /^local (?:function )?([\w, ]+)/
const commentLine = /^[ \t]*--.*$/gm
const word = /[a-z_]\w*/gi

/** The unit behind what it needs of `shared`, whose definitions begin with `local` at the start of a line and name only earlier ones. */
export function toUnitText(shared: string, unit: string): string {
  const named = new Set(wordsIn(unit))
  const kept: string[] = []
  for (const text of shared.split(definition).toReversed()) {
    const [, names = ''] = defined.exec(text) ?? []
    if (!names.match(word)?.some((name) => named.has(name))) continue
    for (const name of wordsIn(text)) named.add(name)
    kept.unshift(text)
  }
  return [...kept, unit].join('')
}

const wordsIn = (lua: string): readonly string[] => lua.replaceAll(commentLine, '').match(word) ?? []
