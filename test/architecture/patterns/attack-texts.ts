// Texts that would make a regular expression take long: what its repetitions repeat, again and again, behind what leads to them.
import { parseRegExpLiteral, visitRegExpAST, type AST } from '@eslint-community/regexpp'

/** `lead` once, then `pump` over and over. */
export type Attack = { readonly lead: string; readonly pump: string }

const mostWords = 80
const mostPairs = 6
/** Something for every class of characters. */
const signs = [...'az5 的一x-\'".:_/=<>*`~#[]()\\|!?，。？：“”\n\tA0…'].concat(
  '😀',
  '\ufe0f',
  'é',
  '\u200b',
  '□',
  '\u0001',
)

/** For every repetition of the expression that may go on for long. */
export function attacksOn(pattern: RegExp): readonly Attack[] {
  const flags = pattern.flags.replace(/[gy]/gu, '')
  const { pattern: root } = parseRegExpLiteral(pattern)
  const found = new Map<string, Attack>()
  const keep = (lead: string, pump: string): void => {
    if (pump !== '') found.set(`${lead}\0${pump}`, { lead, pump })
  }
  visitRegExpAST(root, {
    onQuantifierEnter(repetition) {
      if (repetition.max < 4) return
      const leads = leadsTo(repetition, flags)
      const words = wordsOf(repetition.element, flags).slice(0, mostWords)
      const few = [...new Set([...words.slice(0, mostPairs / 2), ...words.slice(-mostPairs / 2)])]
      const pumps = [...words, ...few.flatMap((one) => few.filter((two) => two !== one).map((two) => one + two))]
      for (const lead of leads) {
        keep('', lead)
        for (const pump of pumps) keep(lead, pump)
        for (const word of few.slice(0, 2)) keep('', lead + word)
      }
    },
  })
  return [...found.values()]
}

/** Whatever stands before an element, from the beginning on: as short as it can be, and with each optional part. */
function leadsTo(element: AST.Element, flags: string): readonly string[] {
  let leads = ['']
  let inner: AST.Node = element
  for (let node: AST.Node | null = element.parent; node !== null; node = node.parent) {
    if (node.type === 'Alternative') {
      const before = node.elements.slice(
        0,
        node.elements.findIndex((one) => one === inner),
      )
      const heads = [join(before, flags, 'short'), join(before, flags, 'long')]
      leads = [...new Set(heads.flatMap((head) => leads.map((lead) => head + lead)))].slice(0, 2)
    }
    inner = node
  }
  return leads
}

function join(elements: readonly AST.Element[], flags: string, how: 'short' | 'long'): string {
  return elements.map((element) => wordsOf(element, flags).at(how === 'short' ? 0 : -1) ?? '').join('')
}

/** Some texts that the element takes, every word of an alternation among them; the shortest first for repetitions. */
export function wordsOf(element: AST.Element, flags: string): readonly string[] {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return [...new Set(element.alternatives.flatMap(({ elements }) => wordsOfAll(elements, flags)))]
    case 'Quantifier': {
      const once = wordsOf(element.element, flags)
      const least = (once[0] ?? '').repeat(Math.min(element.min, 8))
      return [...new Set([least, ...(element.max > 1 ? once.map((word) => word + word) : []), ...once])]
    }
    case 'Assertion':
    case 'Backreference':
      return ['']
    case 'Character':
      return [String.fromCodePoint(element.value)]
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass': {
      const one = new RegExp(`^${element.raw}$`, flags)
      const inside = element.type === 'CharacterClass' ? [...element.raw] : []
      return [...new Set([...signs, ...inside])].filter((sign) => one.test(sign)).slice(0, 3)
    }
  }
}

/** One part varies at a time, the others as short as they can be or with all that is optional. */
function wordsOfAll(elements: readonly AST.Element[], flags: string): readonly string[] {
  const parts = elements.map((element) => wordsOf(element, flags))
  const [short, long] = [0, -1].map((end) => parts.map((words) => words.at(end) ?? ''))
  const varied = [short ?? [], long ?? []].flatMap((rest) => [
    rest.join(''),
    ...parts.flatMap((words, at) => words.map((word) => rest.with(at, word).join(''))),
  ])
  return [...new Set(varied)].slice(0, mostWords)
}
