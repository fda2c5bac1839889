// The ways in which a person has forgotten what is kept of a word.
import { hear, type Room } from '#test/rig/chats/room.ts'
import { labels } from '#test/rig/chats/chat.ts'
import { findRecords, press, tell, who, type Scene } from './canary-scene.ts'
import type { Kept } from './canary-ways-in.ts'

export type WayOut = {
  /** Ways in by which it cannot be. */
  readonly but?: readonly string[]
  /** The messages that said it stay in the chat, as people are told. */
  readonly leavesMessages?: true
  run(scene: Scene, kept: Kept, word: string): Promise<void>
}

type Found = { readonly records: readonly { label: string; id: string; text: string }[] }

export const waysOut: Readonly<Record<string, WayOut>> = {
  'its words': { run: (_, { room }, word) => forgetWords(room, word) },
  'a reply': {
    run: (_, kept) => forgetMessages(kept),
  },
  'its words, on another account': {
    but: ['an anchor of a group'],
    run: ({ other }, _, word) => forgetWords(other, word),
  },
  'the page': {
    but: ['an anchor of a group'],
    leavesMessages: true,
    async run({ routes }, _, word) {
      // What one was made of goes with it, so it is looked for again.
      for (;;) {
        const found = JSON.parse(await routes.get(`memory/find?words=${word}`)) as Found
        const record = found.records.find(({ text }) => text.includes(word))
        if (!record) return
        await routes.post('memory/forget', { label: record.label, id: record.id })
      }
    },
  },
  'its number': {
    leavesMessages: true,
    async run(scene, { room }, word) {
      const [record] = await findRecords(scene, room, word)
      await tell(room, `/forget ${record?.number}`)
    },
  },
  'a line less in the file': {
    // It has no skills.
    but: ['a skill'],
    leavesMessages: true,
    async run(_, { room }, word) {
      const lines = await printFile(room, word)
      // What is counted of a pattern stands below it.
      const left = lines.filter((line) => !line.includes(word) && !line.startsWith('  - '))
      await tell(room, `/memory file\n${left.join('\n')}`)
      await press(room, 'Apply')
    },
  },
  'the card of /memory': {
    leavesMessages: true,
    async run(scene, { room }, word) {
      const [record] = await findRecords(scene, room, word)
      await tell(room, `/memory why ${record?.number}`)
      const card = await hear(room, (one) => one.text.includes(word) && labels(one).includes('Forget'))
      await room.press(who, card.id, 'Forget')
      await press(room, 'Yes, forget it')
    },
  },
  all: {
    async run(_, { room }) {
      await tell(room, '/forget all')
      await press(room, forgets)
    },
  },
}

const forgets = /^(?:Forget (?:it|all)|忘掉$|全部忘掉)/

/** The messages that said it go. */
export async function forgetMessages({ said }: Kept): Promise<void> {
  for (const { room, message } of said) await tell(room, '/forget', message)
}

/** What is found of the words goes; where nothing is, that is said. */
export async function forgetWords(room: Room, word: string): Promise<void> {
  const { answers } = await tell(room, `/forget ${word}`)
  const card = answers.find((one) => labels(one).some((label) => forgets.test(label)))
  if (!card && answers.some(({ text }) => text.includes('I keep nothing that has to do with that'))) return
  await press(room, forgets)
  await hear(room, ({ text }) => /forgotten|忘掉/.test(text))
}

/** The lines of MEMORY.md. */
async function printFile(room: Room, word: string): Promise<readonly string[]> {
  await room.ask(who, '/memory file')
  const { text } = await hear(room, (one) => one.text.includes('# MEMORY') && one.text.includes(word))
  return /`{3,}[a-z]*\n([\s\S]*?)\n`{3,}/.exec(text)?.[1]?.split('\n') ?? []
}
