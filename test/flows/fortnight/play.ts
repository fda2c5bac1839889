// Plays the fortnight: people say what they say in the dialogues, the model answers what the bot answers there, and everybody does with cards what they
// are used to.
import { memoryKinds, ofAsked, ofChat, ofPerson, type MemoryKind } from '#shared/memory/record.ts'
import type { AskedQuestion, LabelledDialogue } from '#test/services/curiosity/score-gaps.ts'
import type { Mapped } from './dialogues.ts'
import { people, type Person } from './people.ts'
import { endsAtMs, type Happening } from './plan.ts'
import type { Town } from './town.ts'
import type { Visible } from './wire.ts'

/** A model reads what is new after a minute and a half, and a card comes after two minutes. */
const [readMs, quietMs] = [95_000, 125_000]
const pleasantries = [
  ['tell me something nice about the spring', 'Light comes earlier every day.'],
  ['which colour goes well with dark green', 'Ochre does.'],
  ['a synonym of brave please', 'Courageous.'],
  ['how many legs has a spider', 'Eight.'],
] as const
const pleasantriesZh = [
  ['说点春天的好听话', '白天一天比一天长。'],
  ['墨绿色配什么颜色好看', '配赭石色。'],
  ['给我一个“勇敢”的近义词', '英勇。'],
  ['蜘蛛有几条腿', '八条。'],
] as const

export type Played = {
  readonly mapped: Mapped
  readonly chat: number
  readonly from: number
  to: number
  readonly isAgain: boolean
}

export type Fortnight = {
  readonly played: readonly Played[]
  /** What stood on a desk at some time, of each dialogue. */
  readonly collected: ReadonlyMap<string, readonly AskedQuestion[]>
}

export async function playFortnight(
  town: Town,
  plan: readonly Happening[],
  untilMs: number = endsAtMs,
): Promise<Fortnight> {
  const played: Played[] = []
  const collected = new Map<string, AskedQuestion[]>()
  const habits = createHabits(town)
  const seen = new Set<string>()
  const versions = new Map<number, string>()
  const look = async (): Promise<void> => {
    for (const { id, name } of people) {
      const read = await town.memory.read(ofAsked(`telegram:${id}`), versions.get(id))
      if (read !== 'same') versions.set(id, read.version)
      for (const { text, asks, saidAt, number } of read === 'same' ? [] : read.records) {
        if (!asks || seen.has(`${id} ${number}`)) continue
        seen.add(`${id} ${number}`)
        const of = played.find((one) => asks.in === `telegram:${one.chat}` && saidAt >= one.from && saidAt <= one.to)
        const key = of?.mapped.dialogue.id ?? 'none'
        collected.set(key, [...(collected.get(key) ?? []), { ask: text, to: name, kind: asks.kind }])
      }
    }
  }
  const onStep = async (): Promise<void> => {
    await look()
    await habits.act()
  }
  let talked = 0
  for (const one of plan) {
    await town.goTo(one.at, onStep)
    if (one.kind === 'zone') await town.say(one.who, one.chat, `/zone ${one.who.zone}`)
    else if (one.kind === 'talk') {
      const all = one.who.language === 'en' ? pleasantries : pleasantriesZh
      const [text, answer] = all[talked++ % all.length] ?? all[0]
      await town.say(one.who, one.chat, text, answer)
    } else if (one.kind === 'dialogue') {
      const { mapped, chat, isAgain } = one
      const now: Played = { mapped, chat, isAgain, from: town.clock.now(), to: Number.POSITIVE_INFINITY }
      played.push(now)
      if (!isAgain) await remember(town, mapped, chat)
      await playDialogue(town, mapped, chat)
      await town.settle()
      now.to = town.clock.now()
    }
    await town.settle()
    await onStep()
    if (one.chat < 0) continue
    if (one.kind === 'dialogue') await town.goTo(town.clock.now() + readMs, onStep)
    await town.goTo(town.clock.now() + quietMs, onStep)
  }
  await town.goTo(untilMs, onStep)
  return { played, collected }
}

const isKind = (kind: string): kind is MemoryKind => memoryKinds.some((one) => one === kind)

/** What was known before. */
async function remember({ memory, clock }: Town, { dialogue }: Mapped, chat: number): Promise<void> {
  for (const [nth, { category, who, content, status }] of dialogue.memory.entries()) {
    const speaker = `telegram:${people.find(({ name }) => name === who)?.id ?? 0}`
    const conversation = `telegram:${chat}`
    const source = `known-${dialogue.id}-${nth}`
    const written = await memory.write(chat < 0 ? ofChat(conversation) : ofPerson(speaker), {
      id: source,
      kind: isKind(category) ? category : 'fact',
      speaker,
      name: who,
      text: content,
      saidAt: clock.now() - 86_400_000,
      status,
      origin: status === 'confirmed' ? 'said' : 'inferred',
      ...(status === 'confirmed' ? { confirmedBy: speaker } : {}),
      from: [{ conversation, messages: [source] }],
    })
    if (written.kind === 'full' || written.kind === 'gone') throw new Error(`${content} is not kept: ${written.kind}`)
  }
}

/** In a group where the bot answers everything: what the bot has no answer to there gets an “OK.” */
async function playDialogue(town: Town, { dialogue }: Mapped, chat: number): Promise<void> {
  const { turns } = dialogue
  for (const [at, { who, text }] of turns.entries()) {
    if (who === 'bot') continue
    const person = people.find(({ name }) => name === who)
    if (!person) throw new Error(`${who} of ${dialogue.id} is none of the five.`)
    const answer = answersBehind(turns.slice(at + 1))
    await town.say(person, chat, withoutCall(text), answer === '' ? undefined : answer)
  }
}

function answersBehind(turns: LabelledDialogue['turns']): string {
  const end = turns.findIndex(({ who }) => who !== 'bot')
  return turns
    .slice(0, end < 0 ? turns.length : end)
    .map(({ text }) => text)
    .join('\n')
}

const withoutCall = (text: string): string => text.replaceAll('@flotilla', '').trim()

type Choice = { readonly press: string } | { readonly words: string } | undefined

/** What people do with their cards. */
function createHabits(town: Town) {
  const counts = new Map<number, number>()
  const labelsOf = (card: Visible): readonly string[] => card.buttons.flat().map(({ text }) => text)
  const usual =
    /^(?:Type an answer|Edit|Skip|Not now|Never about this|✓? ?Also for that group|自己写|改一改|跳过|改天再问|别再问这个|✓? ?也给那个群用)$/
  const choose = (who: Person, card: Visible): Choice => {
    if (who.habit === 'ignores') return undefined
    const nth = (counts.get(who.id) ?? 0) + 1
    counts.set(who.id, nth)
    const labels = labelsOf(card)
    const named = (pattern: RegExp): Choice => ({
      press: labels.find((one) => pattern.test(one)) ?? labels.find((one) => /^(?:Skip|跳过)$/.test(one)) ?? '',
    })
    if (who.habit === 'refuses')
      return named([/^(?:Skip|跳过)$/, /^(?:Not now|改天再问)$/, /^(?:Never about this|别再问这个)$/][nth % 3] ?? /^$/)
    const isAnswered = who.habit === 'answers' ? nth % 5 !== 4 : nth % 2 === 1
    if (!isAnswered) return named(/^(?:Skip|跳过)$/)
    const own = labels.filter((one) => !usual.test(one))
    const option = own[nth % Math.max(1, own.length)]
    if (option !== undefined) return { press: option }
    return { words: who.language === 'en' ? `it is number ${nth} of our list` : `是清单上的第 ${nth} 个` }
  }
  const findCard = async (who: Person): Promise<Visible | undefined> =>
    (await town.wire.look(who.id)).findLast(
      (one) => one.isCard && labelsOf(one).some((label) => /^(?:Skip|跳过)$/.test(label)),
    )
  return {
    async act(): Promise<void> {
      const news = town.takeNews()
      for (const who of people)
        for (; news.has(who.id);) {
          const card = await findCard(who)
          const choice = card && choose(who, card)
          if (!card || !choice) break
          const button = card.buttons.flat().find((one) => 'press' in choice && one.text === choice.press)
          if ('words' in choice) await town.send(who, who.id, choice.words, card.id)
          else if (button?.data !== undefined) await town.press(who, card.id, button.data)
          else throw new Error(`No button to press on: ${card.text}`)
          await town.changed(who.id, card)
          await town.settle()
        }
    },
  }
}
