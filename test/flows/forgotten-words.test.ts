// A word is said in as many ways as there are: behind every command, to every tool, and in whatever repeats it. Then its message is forgotten, and the
// word stands in no key of Redis. A new command or tool is tried here by itself.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listCommands } from '#infra/processes/features.ts'
import type { ModelAnswer } from '#test/simulators/model/script.ts'
import { builtIn } from '#test/services/executor/stage.ts'
import { startFleet, until, type Fleet, type Telling } from '#test/rig/fleet.ts'
import { findText } from '#test/rig/texts.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

/** What the model does with a message that says the name: the calls of each step, and then it answers. */
type Steps = readonly (readonly [tool: string, input: unknown])[]
type Talk = {
  /** Says a message of this id, and waits for what is said to it. */
  say(text: string, id: string, more?: Telling): Promise<void>
  command(text: string, id: string): Promise<void>
  /** The newest row with buttons. */
  card(): Promise<string>
}
type Way = { readonly steps?: (word: string) => Steps; talk(talk: Talk, word: string): Promise<void> }

const asking = { kind: 'knowledge', question: 'What is it?', why: 'a', otherwise: 'b' }
/** By a tool: said in one message, and where something was kept read in another. */
const byTool = (steps: (word: string) => Steps): Way => ({
  steps,
  talk: ({ say }, word) => say(`do it with ${word}`, 'm1'),
})
const thenRead = (write: (word: string) => Steps[number], read: Steps[number]): Way => ({
  steps: (word) => [write(word), read],
  async talk({ say }, word) {
    await say(`do it with ${word}`, 'm1')
    await say('read it', 'm2')
  },
})
const remind = (text: string): Steps[number] => ['reminder_set', { when: 'in 300 minutes', text }]
const note = (text: string): Steps[number] => ['note_write', { title: 't', text }]

const tools: Readonly<Record<string, Way>> = {
  reminder_set: byTool((word) => [remind(word)]),
  reminder_list: thenRead(remind, ['reminder_list', {}]),
  reminder_cancel: byTool((word) => [['reminder_cancel', { id: word }]]),
  note_write: byTool((word) => [['note_write', { title: word, text: word }]]),
  note_list: thenRead((word) => ['note_write', { title: word, text: word }], ['note_list', {}]),
  note_read: thenRead(note, ['note_read', { title: 't' }]),
  human_ask: byTool((word) => [['human_ask', { ...asking, question: `What is ${word}?`, why: word, otherwise: word }]]),
  session_search: thenRead((word) => ['session_search', { query: word }], ['session_search', { query: 'do it with' }]),
  artifact_read: byTool((word) => [['artifact_read', { name: word }]]),
  time_now: byTool((word) => [['time_now', { zone: word }]]),
  calculate: byTool((word) => [['calculate', { expression: word }]]),
  memory_suggest: byTool((word) => [['memory_suggest', { content: `my boat is ${word}`, kind: 'fact' }]]),
  task_start: byTool((word) => [['task_start', { order: `write a guide to ${word} in three parts` }]]),
  memory_query: {
    steps: () => [
      ['time_now', {}],
      ['memory_query', { query: 'my boat' }],
    ],
    async talk({ say, command }, word) {
      await command(`/remember my boat is ${word}`, 'm1')
      await say('read it for memory_query', 'm2')
    },
  },
  tool_search: byTool((word) => [['tool_search', { query: word }]]),
  tool_call: byTool((word) => [['tool_call', { name: word, arguments: {} }]]),
  none: byTool((word) => [[word, {}]]),
  malformed: byTool((word) => [['calculate', word]]),
}

const others: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    ['memory', 'memory why 1'].map((name): [string, Way] => [
      `told by ${name}`,
      {
        async talk({ say, command }, word) {
          await command(`/remember my boat is ${word}`, 'm1')
          await command(`/${name}`, 'm2')
          await say('how is my boat?', 'm3')
        },
      },
    ]),
  ),
  answered: {
    steps: () => [['human_ask', asking]],
    async talk({ say, card }, word) {
      await say('do it for answered', 'm0')
      await say(word, 'm1', { replyTo: { messageId: await card(), fromBot: true }, at: Date.now() + 3000 })
    },
  },
  long: { talk: ({ say }, word) => say(`${'lorem ipsum '.repeat(900)} ${word} ${'dolor sit '.repeat(900)}`, 'm1') },
  ...Object.fromEntries(
    ['why', 'working', 'export', 'retry', 'questions', 'reminders', 'notes', 'notes 1'].map((name): [string, Way] => [
      `told by ${name}`,
      {
        steps: (word) => [note(word), remind(word)],
        async talk({ say, command }, word) {
          await say(`do it, my name is ${word}`, 'm1')
          await command(`/${name}`, 'm2')
        },
      },
    ]),
  ),
}

/** Says it, forgets it, and gives the keys that hold it then. */
async function forgets(fleet: Fleet, name: string, { talk }: Way, word: string): Promise<readonly string[]> {
  const conversation = `web:${name.replaceAll(/[^a-z0-9]/g, '-')}`
  const toId = (id: string): string => `${word}-${id}`.toLowerCase().replace('canary', 'm')
  const say: Talk['say'] = async (text, id, more = {}) =>
    void (await fleet.ask(text, { conversation, messageId: toId(id), ...more }))
  await talk(
    {
      say,
      command: (text, id) => say(text, id, { slash: /\w+/.exec(text)?.[0] ?? '' }),
      card: () => until(async () => (await fleet.said(conversation)).findLast(({ buttons }) => buttons)?.row),
    },
    word,
  )
  const replyTo = { messageId: toId('m1'), fromBot: false, principal: 'web:owner' }
  await say('/forget', 'forget', { slash: 'forget', replyTo })
  for (let tries = 0; ; tries += 1) {
    const left = (await findText(fleet.redis.admin, word)).filter((key) => !/:(?:c|dd):|bull/.test(key))
    // Long lists are blanked in portions, and what had waited in a queue is done with a moment later.
    if (left.length === 0 || tries === 40) return left
    await sleep(50)
  }
}

async function tryAll(ways: Readonly<Record<string, Way>>): Promise<Readonly<Record<string, readonly string[]>>> {
  await using fleet = await startFleet()
  const all = Object.entries(ways).map(([name, way], at) => ({
    name,
    way,
    word: `CANARY${String.fromCharCode(97 + (at % 26))}x${at}q`,
  }))
  fleet.model.decideBy(({ messages }) => {
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const said = JSON.stringify(messages)
    const one = all.findLast(({ word, name }) => said.includes(word) || said.includes(`for ${name}`))
    const done = messages.slice(at).filter(({ role }) => role === 'tool').length
    const steps = one?.way.steps?.(one.word) ?? []
    const asked = JSON.stringify(messages[at]?.content)
    const wanted = asked.includes('read it') ? steps.slice(1) : steps
    const next = /do it|read it/.test(asked) ? wanted[done] : undefined
    if (!next) return { answer: { kind: 'text', text: 'Done.' } }
    const [name, input] = next
    const given = typeof input === 'string' ? `{"expression": ${input}` : JSON.stringify(input)
    const answer: ModelAnswer = { kind: 'tools', calls: [{ id: `call_${done}`, name, arguments: given }] }
    return { answer }
  })
  const left: Record<string, readonly string[]> = {}
  for (const { name, way, word } of all) {
    const keys = await forgets(fleet, name, way, word)
    if (keys.length > 0) left[name] = keys
  }
  return left
}

test('whatever stands behind a command is gone', { timeout: 180_000 }, async () => {
  const commands = listCommands().map(({ name }): [string, Way] => [
    name,
    { talk: ({ command }, word) => command(`/${name} ${word}`, 'm1') },
  ])
  expect(await tryAll(Object.fromEntries(commands))).toEqual({})
})

test('whatever a tool was given, kept and read is gone', { timeout: 180_000 }, async () => {
  const known = toolsOf(builtIn).map(({ name }) => name)
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(known))
  expect(await tryAll(tools)).toEqual({})
})

test('whatever repeats it is gone', { timeout: 180_000 }, async () => {
  expect(await tryAll(others)).toEqual({})
})
