// Records what this release stores into `test/faults/fixtures/<name>-*.json`: `node test/faults/record-fixtures.ts 001`.
// Run it once per release that changes a stored shape; never change a file that is there.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import type { ChatEvent } from '#shared/chat/event.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { fixturePath, takeFixture, type Fixture } from '#test/faults/rig/fixtures.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'
import { wonPress } from '#test/rig/events.ts'

const name = process.argv[2] ?? ''
if (!/^\d{3}$/.test(name)) throw new Error('Give the fixtures a number of three digits that is not taken.')

await using fleet = await startFleet({ telegram: true })
const router = await fleet.start('router')
const executor = await fleet.start('executor')
const telegram = await fleet.start('telegram')
await fleet.answered(10_000, [await fleet.ask('fixture-open', 'what was first?')])
await fleet.answered(10_000, [await fleet.ask('fixture-open', 'what was second?')])
const idle = await fleet.ask('fixture-idle', 'what is idle?')
await fleet.answered(10_000, [idle])

// What was set, and each kind of question that waits for a press.
const asking = 'web:fixture-asked'
const long = { kind: 'text', text: 'A river runs to the sea. '.repeat(30) } as const
await fleet.model.script({ when: { text: 'at length' }, answer: long })
await tell(asking, { kind: 'message', text: '/depth deep', command: { name: 'depth', args: 'deep' } })
await tell(asking, { kind: 'message', text: 'what is edited?', messageId: 'm1' })
await tell(asking, { kind: 'edit', text: 'what is edited since?', messageId: 'm1' })
await tell(asking, { kind: 'message', text: '/config', command: { name: 'config', args: '' } })
await tell(asking, { kind: 'message', text: 'tell me at length', messageId: 'm2' })

// An answer that is being rewritten.
const rewriting = 'web:fixture-rewritten'
await tell(rewriting, { kind: 'message', text: 'tell me at length', messageId: 'm1' })
await fleet.model.script({ when: { text: 'Rewrite your last answer' }, gate: { name: 'never' } })
const rewrite = await press(rewriting, 'Shorter')
await fleet.pause(500)

// A row that nobody sends.
const sending = 'telegram:44'
await fleet.answered(15_000, [await fleet.askTelegram(44, 'what was shown?')])
await telegram.kill()
const waits = 'what was written and not sent?'
await tell(sending, { kind: 'message', text: waits, messageId: '3' }, false)
while (!(await fleet.telegram?.rows())?.some(({ state }) => state === 'queued')) await fleet.pause(100)

// An answer that is being written when its executor dies.
await fleet.model.script({
  when: { text: 'what grows' },
  answer: { kind: 'long', chunks: 60 },
  gate: { name: 'never', afterChunks: 50 },
})
const growing = await tell(sending, { kind: 'message', text: 'what grows? #2.', messageId: '4' }, false)
await fleet.pause(1000)

// A turn nobody ends, a message nobody routes.
await fleet.model.script({ gate: { name: 'never' } })
const before = (await fleet.model.counters()).requests
const open = await fleet.ask('fixture-open', 'what was third?')
await fleet.model.asked(before + 1)
await router.kill()
await executor.kill()
const unrouted = await fleet.ask('fixture-open', 'what was fourth?')
await fleet.pause(fleet.leaseMs * 2)
await save(fleet, {
  what: 'open-turn',
  words: 'two answered, a turn begun, one message not routed',
  open: [open, unrouted],
})
await save(fleet, { what: 'idle', words: 'one answered, nothing waits', open: [], conversation: idle.conversation })
await save(fleet, {
  what: 'questions',
  words: 'a depth was set; a menu, an edited message and the buttons under the last answer wait',
  open: [],
  conversation: asking,
  presses: [
    { ...(await find(asking, 'Shorter')), says: 'Rewrite your last answer' },
    { ...(await find(asking, 'Default depth')), says: 'Default depth: deep' },
    { ...(await find(asking, 'Redo')), says: 'what is edited since?' },
  ],
})
await save(fleet, {
  what: 'outbox',
  words: 'on Telegram: one answer shown, one written and not sent, one being written',
  open: [growing],
  conversation: sending,
  waits: [`echo: ${waits}`],
})
await save(fleet, {
  what: 'rewriting',
  words: 'an answer is being rewritten',
  open: [rewrite],
  conversation: rewriting,
})

type Told = {
  readonly kind: 'message' | 'edit'
  readonly text: string
  readonly messageId?: string
  readonly command?: object
}

/** Puts an event into a conversation and, unless told otherwise, waits for its answer. */
async function tell(conversation: string, told: Told, isAnswered = true): Promise<Asked> {
  const id = `${conversation}-${told.kind}-${told.text}`.replaceAll(/\W/g, '-').slice(0, 100)
  const atMs = Date.now()
  const base = { v: 1, id, conversation, principal: toPerson(conversation), at: atMs, addressed: true, group: false }
  const { seq } = await fleet.kernel.ingest({
    event: { ...base, ...told } as ChatEvent,
    dedupeKey: id,
    stop: 'none',
    echo: conversation.startsWith('web:'),
  })
  const asked = { id, conversation, text: told.text, seq, atMs }
  fleet.talk.note(asked)
  await fleet.hints.inbound(conversation)
  if (isAnswered) await fleet.answered(10_000, [asked])
  return asked
}

function toPerson(conversation: string): string {
  return conversation.startsWith('web:') ? 'web:owner' : conversation
}

/** The newest button with this label. */
async function find(conversation: string, label: string): Promise<{ question: string; choice: string }> {
  const items = await fleet.kernel.readOut(conversation, '0', 100)
  const buttons = items.flatMap((item) =>
    item.role === 'bot' && item.body.kind === 'send' ? (item.body.buttons ?? []).flat() : [],
  )
  const [question = '', choice = ''] = buttons.findLast((button) => button.label === label)?.id.split('.') ?? []
  if (question === '') throw new Error(`${conversation} has no button ${label}.`)
  return { question, choice }
}

async function press(conversation: string, label: string): Promise<Asked> {
  const { question, choice } = await find(conversation, label)
  const [id, actor, atMs] = [`press-${label}`, 'web:owner', Date.now()]
  const event = wonPress({ id, conversation, principal: actor, at: atMs, question, choice })
  const won = await fleet.kernel.resolve({ question, actor, chat: conversation, choice, event, asAdmin: false })
  if (won.kind !== 'WON') throw new Error(`The press of ${label} is ${won.kind}.`)
  await fleet.hints.inbound(conversation)
  return { id, conversation, text: 'Rewrite your last answer', seq: 0, atMs }
}

async function save(
  of: Fleet,
  about: {
    readonly what: string
    readonly words: string
    readonly open: readonly Asked[]
    readonly conversation?: string
    readonly presses?: Fixture['presses']
    readonly waits?: Fixture['waits']
  },
): Promise<void> {
  const { what, words, open: asked, presses = [], waits: rows = [] } = about
  const taken = await takeFixture(of, {
    what: words,
    conversation: about.conversation ?? asked[0]?.conversation ?? '',
    open: asked.map(({ id, text, seq }) => ({ id, text, seq })),
    presses,
    waits: rows,
  })
  writeFileSync(fixturePath(`${name}-${what}.json`), `${JSON.stringify(taken, null, 2)}\n`)
}
