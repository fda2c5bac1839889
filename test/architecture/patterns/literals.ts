// Finds the regular expressions written in a source file of TypeScript or JavaScript. It reads just enough of the language to tell a
// regular expression from a division, a comment or a text.

export type Literal = { readonly pattern: RegExp; readonly line: number }

/** One token that cannot hold the beginning of a regular expression, or, at the end, anything else. */
const token =
  /(?<space>\s+)|(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|(?<text>'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*")|(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)|(?<number>\d[\w.]*)|(?<regex>\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|(?<other>[^])/uy

/** Words behind which a value begins. */
const openers = new Set(['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'yield', 'await', 'void', 'delete'])

export function findLiterals(source: string): readonly Literal[] {
  const found: Literal[] = []
  /** For each open template the number of braces open in its value. */
  const templates: number[] = []
  let isValueNext = true
  let at = 0
  const skipTemplate = (): void => {
    const end = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/uy
    end.lastIndex = at
    const [all = source.slice(at)] = end.exec(source) ?? []
    at += all.length
    if (all.endsWith('${')) templates.push(0)
    isValueNext = all.endsWith('${')
  }
  while (at < source.length) {
    token.lastIndex = at
    const groups = token.exec(source)?.groups ?? {}
    const [kind, text] = Object.entries(groups).find(([, value]) => value !== undefined) ?? ['other', source.charAt(at)]
    if (kind === 'regex' && !isValueNext) {
      at += 1
      isValueNext = true
      continue
    }
    const began = at
    at += text?.length ?? 1
    if (kind === 'space' || kind === 'comment') continue
    if (kind === 'regex') {
      const cut = text?.lastIndexOf('/') ?? 0
      const pattern = new RegExp(text?.slice(1, cut) ?? '', text?.slice(cut + 1))
      found.push({ pattern, line: source.slice(0, began).split('\n').length })
    }
    isValueNext = kind === 'other' ? !/[)\]}]/u.test(text ?? '') : kind === 'name' && openers.has(text ?? '')
    if (text === '`') skipTemplate()
    const open = templates.length - 1
    if (open >= 0 && text === '{') templates[open] = (templates[open] ?? 0) + 1
    if (open >= 0 && text === '}') {
      if (templates[open] === 0) {
        templates.pop()
        skipTemplate()
      } else templates[open] = (templates[open] ?? 0) - 1
    }
  }
  return found
}
