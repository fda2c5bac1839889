// Plays the days of the month, and keeps what the model was given with each question.
import { ofAll, ofChat, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import { findForeign, readGiven, type Asked } from './judge.ts'
import { taps, type Act, type At, type Day, type Person } from './script.ts'
import { toGroup, type Town } from './town.ts'

const everyone: readonly Person[] = ['ann', 'bo', 'chen']
const places: readonly At[] = [...everyone, 'ann@crew', 'ann@books']

/** What people said by its text, for those who take it back. */
type Told = Map<string, number>

export function createPlay(town: Town) {
  const told: Told = new Map()
  const asked: Asked[] = []
  let pressed = 0
  let number = 0

  async function act(one: Act): Promise<void> {
    if (one.do === 'say') told.set(`${one.at} ${one.text}`, (await town.say(one.at, one.text)).message)
    else if (one.do === 'talk') await town.talk(one.at, one.text)
    else if (one.do === 'fresh') await town.say(one.at, '/new')
    else if (one.do === 'forget') await forget(town, one.at, one.record)
    else if (one.do === 'unsay') await town.say(one.at, '/forget', told.get(`${one.at} ${one.text}`))
    else asked.push(await ask(one))
  }

  async function ask({ at, text, wanted }: Extract<Act, { do: 'ask' }>): Promise<Asked> {
    // Sometimes a prompt goes without memory where that takes longer than 150 ms: then people ask again.
    let system = await put(at, text)
    if (wanted.gives && readGiven(system).length === 0) {
      await town.say(at, '/new')
      system = await put(at, text)
    }
    const given = readGiven(system)
    const conversation = town.conversationOf(at)
    const principal = town.principalOf(at)
    const foreign = findForeign(given, { at, conversation, principal }, await readStored(town))
    const hasNever = wanted.never !== undefined && system.some((part) => wanted.never?.test(part))
    return { day: number, at, text, wanted, given, foreign, hasNever }
  }

  async function put(at: At, text: string): Promise<readonly string[]> {
    await town.say(at, text)
    return await town.findPrompt(text)
  }

  return {
    asked,
    pressed: () => pressed,
    async day(acts: Day): Promise<void> {
      number += 1
      for (const one of acts) await act(one)
      await town.settle()
      for (const person of everyone) pressed += await town.answerCards(person, (card) => choose(person, card))
      await town.nextDay()
      // Nobody is answered more than thirty commands within ten real minutes; a process counts for itself.
      if (number % 5 === 0) await town.restart()
    },
  }
}

function choose(person: Person, card: string): 'save' | 'no' | 'skip' {
  if (taps[person].decline.test(card)) return 'no'
  return taps[person].save.test(card) ? 'save' : 'skip'
}

/** As people do: they look for its number in the list. */
async function forget(town: Town, at: At, record: RegExp): Promise<void> {
  for (let page = 1; page <= 10; page += 1) {
    const { answer } = await town.say(at, `/memory ${page}`)
    const row = answer.split('\n').find((line) => record.test(line))
    const label = /^\W*(g?\d+)\s/u.exec(row ?? '')?.[1]
    if (label === undefined) continue
    const { answer: done } = await town.say(at, `/forget ${label}`)
    if (!/is forgotten|已忘掉/.test(done)) throw new Error(`Nothing was forgotten: ${done}`)
    return
  }
  throw new Error(`/memory shows nothing like ${String(record)}.`)
}

/** Where is kept what is said there. */
export const scopeOf = (town: Town, at: At): MemoryScope =>
  toGroup(at) ? ofChat(town.conversationOf(at)) : ofPerson(town.principalOf(at))

export async function readStored(town: Town): Promise<ReadonlyMap<MemoryScope, readonly MemoryRecord[]>> {
  const all = await Promise.all(
    [ofAll, ...places.map((at) => scopeOf(town, at))].map(async (scope) => {
      const read = await town.memory.read(scope)
      return [scope, read === 'same' ? [] : read.records] as const
    }),
  )
  return new Map(all)
}
