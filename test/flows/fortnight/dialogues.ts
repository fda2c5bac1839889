// The labelled dialogues of the fortnight, mapped onto its five people: the shared set where it is there, else sets of our own.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { toDialogues, type LabelledDialogue } from '#test/services/curiosity/score-gaps.ts'
import { people } from './people.ts'

/** `who`: how each name of the set is called here. */
export type Mapped = { readonly dialogue: LabelledDialogue; readonly who: ReadonlyMap<string, string> }

const shared = path.resolve(process.env['GAPS'] ?? '../shared/data/gaps-dev.jsonl')
const own = ['gaps-plain.jsonl']
const folder = path.join(import.meta.dirname, '../../services/curiosity')

export function readDialogues(): { readonly from: string; readonly mapped: readonly Mapped[] } {
  const isThere = existsSync(shared)
  const files = isThere ? [shared] : own.map((name) => path.join(folder, name))
  const dialogues = files.flatMap((file) => toDialogues(readFileSync(file, 'utf8')))
  return {
    from: isThere ? 'the shared set' : `sets of our own (${own.join(', ')}), since ${shared} is not there`,
    mapped: mapAll(dialogues.filter((one) => one.people.length <= people.length)),
  }
}

/**
 * Each name is one of the five, wherever it stands; those to whom most labels go come first, each to whoever has fewest. Only where two of one dialogue
 * would be the same person another one is taken there.
 */
export function mapAll(dialogues: readonly LabelledDialogue[]): readonly Mapped[] {
  const labels = new Map<string, number>()
  for (const { people: names, gaps } of dialogues) {
    for (const name of names) labels.set(name, labels.get(name) ?? 0)
    for (const { to } of gaps) labels.set(to, (labels.get(to) ?? 0) + 1)
  }
  const load = new Map(people.map(({ name }) => [name, { labels: 0, names: 0 }]))
  const usual = new Map<string, string>()
  for (const [name, count] of [...labels].toSorted((a, b) => b[1] - a[1])) {
    const met = new Set(dialogues.flatMap((one) => (one.people.includes(name) ? one.people : [])))
    const taken = new Set([...met].flatMap((one) => usual.get(one) ?? []))
    const free = people.map((one) => one.name).filter((one) => !taken.has(one))
    const [chosen] = free.toSorted((a, b) => {
      const [one, other] = [load.get(a), load.get(b)]
      return (one?.labels ?? 0) - (other?.labels ?? 0) || (one?.names ?? 0) - (other?.names ?? 0)
    })
    if (chosen === undefined) continue
    usual.set(name, chosen)
    const had = load.get(chosen)
    load.set(chosen, { labels: (had?.labels ?? 0) + count, names: (had?.names ?? 0) + 1 })
  }
  return dialogues.map((one) => mapOne(one, usual))
}

function mapOne(dialogue: LabelledDialogue, usual: ReadonlyMap<string, string>): Mapped {
  const who = new Map<string, string>()
  for (const name of dialogue.people) {
    const taken = new Set(who.values())
    const wanted = usual.get(name)
    const free = people.map((one) => one.name).find((one) => !taken.has(one)) ?? ''
    who.set(name, wanted !== undefined && !taken.has(wanted) ? wanted : free)
  }
  const to = (text: string): string => rename(text, who)
  const { people: names, memory, turns, gaps, not } = dialogue
  return {
    who,
    dialogue: {
      ...dialogue,
      people: names.map((name) => who.get(name) ?? name),
      memory: memory.map((one) => ({ ...one, who: who.get(one.who) ?? one.who, content: to(one.content) })),
      turns: turns.map((one) => ({ ...one, who: who.get(one.who) ?? one.who, text: to(one.text) })),
      gaps: gaps.map((one) => ({
        ...one,
        ask: to(one.ask),
        to: who.get(one.to) ?? one.to,
        why: to(one.why),
        changes: to(one.changes),
        key: to(one.key),
      })),
      not: not.map((one) => ({ ...one, question: to(one.question) })),
    },
  }
}

const isLatin = (sign: string | undefined): boolean => sign !== undefined && /[a-z]/i.test(sign)

/** Whole names alone: “Ann” does not stand in “Anna”. No name of the five is changed again. */
function rename(text: string, who: ReadonlyMap<string, string>): string {
  let left = text
  const names = [...who].toSorted(([a], [b]) => b.length - a.length)
  for (const [at, [name]] of names.entries())
    left = left.replaceAll(name, (found: string, place: number) => {
      const isPart = isLatin(found[0]) && (isLatin(left[place - 1]) || isLatin(left[place + found.length]))
      return isPart ? found : `\u0001${at}\u0002`
    })
  for (const [at, [, called]] of names.entries()) left = left.replaceAll(`\u0001${at}\u0002`, called)
  return left
}
