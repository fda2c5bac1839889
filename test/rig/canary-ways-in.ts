// The ways in which a word comes to be kept. Each has its record, and gives the place of it and the messages that said it.
import { hear, type Room } from '#test/rig/chats/room.ts'
import { labels } from '#test/rig/chats/chat.ts'
import { until } from '#test/rig/fleet.ts'
import { findNightZone, findNoon } from '#test/rig/noon.ts'
import { passHours } from '#test/rig/reflection.ts'
import { press, tell, untilKept, webOwner, who, type Scene } from './canary-scene.ts'

export type Kept = {
  /** Where it is forgotten. */
  readonly room: Room
  /** The messages that said it. */
  readonly said: readonly { readonly room: Room; readonly message: string }[]
}
type WayIn = (scene: Scene, word: string) => Promise<Kept>

export const waysIn = {
  'a message': ({ home }, word) => say(home, `remember that my boat is called ${word}`),
  'a message on the page': ({ page }, word) => say(page, `remember that my lamp is called ${word}`),
  async 'in passing, kept by a command'(scene, word) {
    const kept = await say(scene.home, `I prefer ${word} cheese.`)
    const { number } = await untilKept(scene, scene.home, word, 'unconfirmed')
    await tell(scene.home, `/memory keep ${number}`)
    return kept
  },
  'in passing, kept by a tap': (scene, word) => keepBy.card(scene, `I prefer ${word} tea to ${another(word)}.`, word),
  async 'an edit'(scene, word) {
    const { home } = scene
    const before = another(word)
    await home.ask(who, `remember that my cat is called ${before}`)
    const { number } = await untilKept(scene, home, before)
    await home.ask(who, `/memory why ${number}`)
    const card = await hear(home, (one) => one.text.includes(before) && labels(one).includes('Edit'))
    await home.press(who, card.id, 'Edit')
    await hear(home, (one) => one.text.includes('Write the new words') && one.text.includes(before))
    return await say(home, `my cat is called ${word}`)
  },
  async 'a file'({ home }, word) {
    const kept = await say(home, `/memory file\n# MEMORY\n## Facts\n- my garden is called ${word}`)
    await press(home, 'Apply')
    return kept
  },
  async 'a skill'({ home }, word) {
    const kept = await say(home, `/teach ${word} tea\n1. Boil the water.\n2. Pour it over the leaves.`)
    const card = await hear(home, (one) => one.text.includes(word) && labels(one).includes('Keep'))
    await home.press(who, card.id, 'Keep')
    return kept
  },
  async 'another account'({ home, other }, word) {
    const kept = await say(other, `remember that my horse is called ${word}`)
    return { ...kept, room: home }
  },
  'an anchor of a direct chat': (scene, word) =>
    keepBy.card(scene, `We decided on ${word} for the ${another(word)}.`, word),
  async 'an anchor of a group'(scene, word) {
    const { group } = scene
    const kept = await say(group, `We decided on ${word} for the ${another(word)}.`)
    await untilKept(scene, group, word, 'unconfirmed')
    await tell(group, '/new')
    await group.ask(who, 'What is the capital of France?')
    const card = await hear(group, (one) => one.text.includes(word) && labels(one).includes('None'))
    await group.press(who, card.id, labels(card).find((label) => label.startsWith('Keep')) ?? '')
    return kept
  },
  'a consolidation': (scene, word) =>
    keepBy.night(scene, [
      `remember that I keep the ${word} honey in the cellar`,
      `remember that I keep the ${word} honey in the cellar beside the door`,
    ]),
  async 'people and things'(scene, word) {
    const { fleet, home, principal } = scene
    const kept = await say(home, `I work at ${word} near the ${another(word)}.`)
    await untilKept(scene, home, word, 'unconfirmed')
    await until(async () => {
      await passHours(fleet, 'memory.entities')
      const found = await fleet.runtime.graph.readAll(`user:${principal}`)
      return JSON.stringify(found).includes(word)
    })
    return kept
  },
} satisfies Record<string, WayIn>

/** A word for each, so that what was said of others and is forgotten does not bar it. */
const another = (word: string): string => `${word.slice(5, 8)}shed`

async function say(room: Room, text: string): Promise<Kept> {
  return { room, said: [{ room, message: (await tell(room, text)).message }] }
}

export const keepBy = {
  /** Said alone with the bot, and saved on the card that asks what is to be kept. */
  async card(scene: Scene, text: string, word: string): Promise<Kept> {
    const { fleet, home, principal } = scene
    const kept = await say(home, text)
    await untilKept(scene, home, word, 'unconfirmed')
    await fleet.runtime.people.setZone(principal, findNoon())
    await home.ask(who, '/questions now')
    const isIt = (label: string): boolean => label === 'Save' || label === '记住'
    const card = await hear(home, (one) => one.text.includes(word) && labels(one).some(isIt))
    await home.press(who, card.id, labels(card).find(isIt) ?? '')
    await untilKept(scene, home, word, 'confirmed')
    return kept
  },
  /** Two orders that say mostly the same, made one on the card of the night. */
  async night({ fleet, openTalk }: Scene, orders: readonly [string, string]): Promise<Kept> {
    const { people } = fleet.runtime
    nights += 1
    // No card comes where another one is open.
    const talk = openTalk(`night-${nights}`)
    const first = await say(talk, orders[0])
    const second = await say(talk, orders[1])
    await people.setZone(webOwner, findNightZone())
    await people.setChoice(webOwner, 'memory_night', '0 -')
    await people.setChoice(webOwner, 'memory_night_asked', '0')
    await tell(talk, 'hello number 1')
    await until(async () => (await passHours(fleet, `memory.consolidation ${talk.conversation}`)) > 0)
    await press(talk, 'Merge these')
    await hear(talk, 'they are one now')
    return { room: talk, said: [...first.said, ...second.said] }
  },
}
let nights = 0
