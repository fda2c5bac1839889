// Counts what a backtracking search does on one text: all ways through a regular expression are followed side by side, those that
// meet with their number, so that a search of a thousand years is counted in a millisecond. Look-arounds are asked of the engine itself.
import { parseRegExpLiteral, type AST } from '@eslint-community/regexpp'

/** How many times a character is taken while `text` is searched for the first match. */
export type CountSteps = (text: string) => number

type Instruction =
  | { readonly kind: 'char'; readonly fits: (sign: string) => boolean; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[]; readonly isLoop?: true }
  | { readonly kind: 'assert'; readonly holds: (text: string, at: number) => boolean; readonly next: number }
  | { readonly kind: 'match' }

/** Builds the counter of one expression. */
export function createStepCount(pattern: RegExp): CountSteps {
  const program: Instruction[] = []
  const add = (instruction: Instruction): number => program.push(instruction) - 1
  const flags = pattern.flags.replace(/[gy]/gu, '')

  const all = (elements: readonly AST.Element[], next: number): number =>
    elements.reduceRight((then, element) => compile(element, then), next)
  const oneOf = (alternatives: readonly AST.Alternative[], next: number): number => {
    const ways = alternatives.map(({ elements }) => all(elements, next))
    return ways.length === 1 ? (ways[0] ?? next) : add({ kind: 'split', next: ways })
  }
  const repeat = ({ element, min, max }: AST.Quantifier, next: number): number => {
    let entry = next
    if (max === Infinity) {
      const ways: number[] = [next]
      entry = add({ kind: 'split', next: ways, isLoop: true })
      ways.unshift(compile(element, entry))
    } else
      for (let more = min; more < max; more += 1) entry = add({ kind: 'split', next: [compile(element, entry), next] })
    for (let must = 0; must < min; must += 1) entry = compile(element, entry)
    return entry
  }
  const compile = (element: AST.Element, next: number): number => {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return oneOf(element.alternatives, next)
      case 'Quantifier':
        return repeat(element, next)
      case 'Assertion': {
        const asked = new RegExp(element.raw, `${flags}y`)
        const holds = (text: string, at: number): boolean => {
          asked.lastIndex = at
          return asked.test(text)
        }
        return add({ kind: 'assert', holds, next })
      }
      // What was captured may be anything that the group takes.
      case 'Backreference':
        return [element.resolved].flat().reduce((then, group) => oneOf(group.alternatives, then), next)
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass': {
        const one = new RegExp(`^${element.raw}$`, flags)
        const known = new Map<string, boolean>()
        const fits = (sign: string): boolean => {
          const found = known.get(sign) ?? one.test(sign)
          known.set(sign, found)
          return found
        }
        return add({ kind: 'char', fits, next })
      }
    }
  }
  const match = add({ kind: 'match' })
  const start = oneOf(parseRegExpLiteral(pattern).pattern.alternatives, match)
  const take = createTake(program)
  return (text) => run(take, start, pattern.sticky, text)
}

/** Where a search gets from a place by taking a sign: places with the number of ways to each, and whether it may end instead. */
type Taken = { readonly ways: ReadonlyMap<number, number>; readonly isFound: boolean }
type Take = (place: number, sign: string, text: string, at: number) => Taken

/** Keeps what it finds, except behind an assertion, which looks at the text. */
function createTake(program: readonly Instruction[]): Take {
  const known = program.map(() => new Map<string, Taken>())
  return (place, sign, text, at) => {
    const kept = known[place]?.get(sign)
    if (kept) return kept
    const ways = new Map<number, number>()
    const path = new Set<number>()
    let isFound = false
    let hasLooked = false
    const spread = (from: number): void => {
      const instruction = program[from]
      if (!instruction) return
      if (instruction.kind === 'char') {
        if (instruction.fits(sign)) ways.set(instruction.next, (ways.get(instruction.next) ?? 0) + 1)
      } else if (instruction.kind === 'match') isFound = true
      else if (instruction.kind === 'assert') {
        hasLooked = true
        if (instruction.holds(text, at)) spread(instruction.next)
      } else {
        // A repetition that comes back without having taken a character ends there.
        if (instruction.isLoop && path.has(from)) return
        if (instruction.isLoop) path.add(from)
        for (const next of instruction.next) spread(next)
        path.delete(from)
      }
    }
    spread(place)
    const taken = { ways, isFound }
    if (!hasLooked) known[place]?.set(sign, taken)
    return taken
  }
}

function run(take: Take, start: number, isSticky: boolean, text: string): number {
  let steps = 0
  let at = 0
  let isFound = false
  let live = new Map<number, number>()
  for (const sign of text) {
    const next = new Map<number, number>()
    const follow = (place: number, ways: number): void => {
      const taken = take(place, sign, text, at)
      isFound ||= taken.isFound
      for (const [to, more] of taken.ways) {
        next.set(to, (next.get(to) ?? 0) + ways * more)
        steps += ways * more
      }
    }
    for (const [place, ways] of live) follow(place, ways)
    // A search begins anew at each character until something is found.
    if (at === 0 || (!isSticky && !isFound)) follow(start, 1)
    live = next
    at += sign.length
  }
  return steps
}
