// People whose answers leave the bot in doubt, alone with it and in groups, and what is noticed of them: each matter has a word of its own, by which it is
// known wherever it is kept, asked, or answered.
import { createUnits } from '#queues/units.ts'
import { ofPerson } from '#shared/memory/record.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Fleet } from './fleet.ts'
import { eventually, type Card, type Place } from './place.ts'
import { directPlace, groupPlace } from './places.ts'

/** What it is asked for: yes or no, words, or whether to keep it. */
export type MatterKind = 'yes-no' | 'words' | 'keep'
export type Matter = {
  readonly word: string
  readonly kind: MatterKind
  /** By which the book knows it, once it was found. */
  key?: string
}

export type Neighbour = {
  readonly principal: PrincipalId
  /** In Telegram. */
  readonly who: number
  /** Where cards come. */
  readonly alone: readonly Place[]
  readonly group: Place
  readonly matters: Matter[]
}

const firstPerson = 5000
const answerMs = 120_000

/** Pairs who share a group, by Telegram, and whoever owns the web page, who has two conversations there. */
export async function meet(fleet: Fleet, pairs: number): Promise<readonly Neighbour[]> {
  const groups = Array.from({ length: pairs }, async (_, nth) => {
    const [by, other] = [firstPerson + 2 * nth, firstPerson + 2 * nth + 1]
    const group = await groupPlace(fleet, 'telegram', { by, admins: [by, other] })
    const both = [by, other].map(async (who): Promise<Neighbour> => {
      const alone = [await directPlace(fleet, 'telegram', who)]
      return { principal: `telegram:${who}`, who, alone, group, matters: [] }
    })
    return await Promise.all(both)
  })
  return (await Promise.all(groups)).flat()
}

export async function meetOwner(fleet: Fleet): Promise<Neighbour> {
  const [first, second] = [await directPlace(fleet, 'web', 1), await directPlace(fleet, 'web', 2)]
  return { principal: 'web:owner', who: 0, alone: [first, second], group: second, matters: [] }
}

/** Cards that come by themselves want a zone. */
export async function setZone({ client }: Fleet, principal: PrincipalId, zone: string): Promise<void> {
  await createUnits(client, { patienceMs: 60_000 })('people', `fl:{person-${principal}}`, ['note', 'zone', zone])
}

/** A background model finds nothing. */
export const scriptQuiet = async ({ model }: Pick<Fleet, 'model'>): Promise<void> =>
  await model.script({
    when: { model: 'simulated-fast' },
    answer: { kind: 'text', text: '{"entities":[]}' },
  })

let told = 1000
/** All are of the same length, so that none is part of another. */
export const nextWord = (): string => `Ka${[...String((told += 1))].map((digit) => syllables[Number(digit)]).join('')}`
const syllables = ['bo', 'do', 'fo', 'go', 'ko', 'lo', 'mo', 'no', 'po', 'ro']

/** They say what leaves a doubt, and are answered. The same matter may come up in several places. */
export async function raise(fleet: Fleet, one: Neighbour, place: Place, matter: Matter): Promise<void> {
  const { word, kind } = matter
  if (!one.matters.includes(matter)) {
    one.matters.push(matter)
    await fleet.model.script({ when: { text: word }, answer: { kind: 'text', text: toAnswer(matter) } })
  }
  await say(place, one.who, kind === 'keep' ? `I like sailing near ${word}` : `plan the ${word} please`, `${word}:`)
}

/** What is noticed is not taken up by the answer, which would be asked about then. */
const toAnswer = ({ word, kind }: Matter): string =>
  ({
    'yes-no': `Plan ${word}: an agenda. I assumed that the ${word} is online.`,
    words: `Plan ${word}: a way. I do not know how long the ${word} is.`,
    keep: `Noted ${word}: well.`,
  })[kind]

/** Resolves once it is answered by a text with this part. */
export async function say(place: Place, who: number, text: string, part: string): Promise<void> {
  const isAnswer = (one: Card): boolean => one.text.includes(part) && !isCard(one.text)
  const before = (await place.said()).filter(isAnswer).length
  await place.say(text, who)
  await eventually(
    async () => ((await place.said()).filter(isAnswer).length > before ? true : undefined),
    async () => `"${text}" in ${place.conversation}: ${JSON.stringify((await place.said()).slice(-3))}`,
    answerMs,
  )
}

/** A text that asks, of whatever steps through what waits; not one that quotes it, since it is still open. */
export const isCard = (text: string): boolean => /^Why I ask: /m.test(text)

/** The messages in which it was ever asked. */
export async function findShown({ alone, group }: Neighbour, { word }: Matter): Promise<readonly string[]> {
  const all = await Promise.all(
    [...new Set([...alone, group])].map(async (place) => ({ place, said: await place.said() })),
  )
  const isShown = ({ texts }: Card): boolean => texts.some((text) => isCard(text) && text.includes(word))
  return all.flatMap(({ place, said }) => said.filter(isShown).map(({ id }) => `${place.conversation} ${id}`))
}

export const scopeOf = ({ principal }: Neighbour) => ofPerson(principal)
