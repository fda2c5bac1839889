// What somebody without a model's key meets of curiosity: the demo model says what it does not know, and a card asks about it once two minutes are quiet.
import { expect, test } from 'vitest'
import { createDemoModel } from '#infra/models/demo-model.ts'
import { demoTools } from '#infra/models/demo-tools.ts'
import type { Language } from '#shared/chat/message.ts'
import { ofAsked } from '#shared/memory/record.ts'
import { hear } from '#test/rig/chats/room.ts'
import { openTerminal } from '#test/rig/chats/terminal-room.ts'
import { passQuietMinutes, startCuriosity } from '#test/rig/curiosity.ts'
import { startFleet, until } from '#test/rig/fleet.ts'
import { findNoon } from '#test/rig/noon.ts'

type Told = Readonly<Record<'plan' | 'planned' | 'asks' | 'yes' | 'next', string>>
const told: Readonly<Record<Language, Told>> = {
  en: {
    plan: 'plan a meeting',
    planned: 'I took 30 minutes',
    asks: 'Is the meeting online?',
    yes: 'Yes',
    next: '2 / 3',
  },
  zh: { plan: '安排一次会议', planned: '先按 30 分钟排', asks: '会议在线上开', yes: '是', next: '2 / 3' },
}
const person = 'console:owner'

test.each(Object.entries(told))(
  'the demo model’s plan has doubts that a card asks about: %s',
  { timeout: 60_000 },
  async (language, words) => {
    await using fleet = await startFleet({ found: { port: createDemoModel(), tools: demoTools() } })
    await using _ = startCuriosity(fleet)
    const room = await openTerminal(fleet.runtime, 'ann', { name: 'ann', language: language === 'zh' ? 'zh' : 'en' })
    await fleet.runtime.people.setZone(person, findNoon())
    await room.ask('', words.plan)
    const answer = await hear(room, words.planned)
    expect(answer.text).toContain('`/questions now`')
    await until(async () => {
      const read = await fleet.runtime.memory.read(ofAsked(person))
      return read !== 'same' && read.count === 3
    })
    await until(async () => (await passQuietMinutes(fleet)) > 0)
    const card = await hear(room, ({ text, buttons }) => text.includes(words.asks) && buttons.flat().length > 1)
    expect(card.text).toContain('1 / 3')
    await room.press('', card.id, words.yes)
    await hear(room, words.next)
    await room.close()
  },
)
