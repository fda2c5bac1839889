// What waits for people of a fault test, what the book says was asked, and whether that is what they saw.
import { createDesks } from '#queues/fleet/desks.ts'
import { createUnits } from '#queues/units.ts'
import { findBook, toHash, type Book } from '#services/curiosity/desk/book.ts'
import { toSuggestedKey } from '#services/memory/suggest.ts'
import { ofAsked, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import type { Fleet } from './fleet.ts'
import { openMemoryOf } from './memory.ts'
import { findShown, type Matter, type Neighbour } from './neighbours.ts'

export type DeskReader = {
  book(one: Neighbour): Promise<Book>
  /** What waits to be asked, of both sources. */
  waiting(one: Neighbour): Promise<readonly MemoryRecord[]>
  /** Notes by which keys the book knows what waits. What is not there, or is there twice. */
  findMissing(one: Neighbour): Promise<readonly string[]>
  /** What is not as it should be, when all is over: nothing waits, and each was asked once. */
  findBreaches(one: Neighbour, answers: ReadonlyMap<string, string>): Promise<readonly string[]>
}

export function openDeskReader(fleet: Fleet): DeskReader {
  const memory = openMemoryOf(fleet)
  const desks = createDesks(fleet.client, createUnits(fleet.client, { patienceMs: 60_000 }))
  const asked = async ({ principal }: Neighbour) => await memory.readAll(ofAsked(principal))
  const noticed = async ({ principal }: Neighbour) =>
    (await memory.readAll(ofPerson(principal))).filter(({ text }) => text.includes('sailing'))
  const book = async ({ principal }: Neighbour): Promise<Book> => await findBook(desks, principal)
  const waiting = async (one: Neighbour): Promise<readonly MemoryRecord[]> => {
    const { asked: known } = await book(one)
    const isNew = (record: MemoryRecord): boolean => !known.some(({ key }) => key === toHash(toSuggestedKey(record)))
    const kept = (await noticed(one)).filter((record) => record.status === 'unconfirmed' && isNew(record))
    return [...(await asked(one)), ...kept]
  }
  return {
    book,
    waiting,
    async findMissing(one) {
      const [questions, kept] = [await asked(one), await noticed(one)]
      return one.matters.flatMap((matter) => {
        const found = (matter.kind === 'keep' ? kept : questions).filter(({ text }) => text.includes(matter.word))
        const key = found.map((record) => toHash(record.asks?.key ?? toSuggestedKey(record)))[0]
        if (key !== undefined) matter.key = key
        if (found.length > 1)
          return [
            `${one.principal}: ${found.length} records of ${matter.word}: ${found.map(({ text }) => text).join(' | ')}`,
          ]
        return matter.key === undefined ? [`${one.principal}: nothing of ${matter.word} (${matter.kind})`] : []
      })
    },
    async findBreaches(one, answers) {
      const known = await book(one)
      const left = await waiting(one)
      const ofMatters = await Promise.all(one.matters.map(async (matter) => await judge(one, matter, known, answers)))
      const strange = known.asked.filter(({ key }) => !one.matters.some((matter) => matter.key === key))
      return [
        ...ofMatters.flat(),
        ...left.map(({ text }) => `${one.principal}: "${text}" still waits`),
        ...strange.map(({ key, kind }) => `${one.principal}: the book has ${key} (${kind}), which nobody raised`),
        ...findDoubled(known.asked.map(({ key }) => key)).map((key) => `${one.principal}: the book has ${key} twice`),
        ...findCrowded(known).map((day) => `${one.principal}: two cards came on day ${day}`),
      ]
    },
  }
}

async function judge(
  one: Neighbour,
  matter: Matter,
  { asked }: Book,
  answers: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const { word, key } = matter
  const shown = await findShown(one, matter)
  const entry = asked.find((known) => known.key === key)
  const how = answers.get(word)
  const name = `${one.principal}: ${word} (${matter.kind})`
  return [
    ...(shown.length === 1 ? [] : [`${name} was shown on ${shown.length} cards: ${shown.join(', ')}`]),
    ...(entry ? [] : [`${name} is not in the book`]),
    // Of what was saved and not yet closed when its worker died the book says that it is gone.
    ...(entry && entry.how !== how && entry.how !== 'gone'
      ? [`${name} was ${how}, and the book says ${entry.how}`]
      : []),
  ]
}

const findDoubled = (keys: readonly string[]): readonly string[] => keys.filter((key, at) => keys.indexOf(key) !== at)

const dayMs = 86_400_000
/** Days on which two came. */
const findCrowded = ({ cards }: Book): readonly number[] =>
  cards.flatMap(({ at }, nth) => (nth > 0 && at - (cards[nth - 1]?.at ?? 0) < dayMs ? [Math.floor(at / dayMs)] : []))
