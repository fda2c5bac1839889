// What memory gives is forgotten with the message that it was made of: in the conversation where it was said, and in each that it was carried to.
import { expect, test } from 'vitest'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { partitions, toPartition } from '#queues/partition.ts'
import { carryLetters } from '#queues/workers/carry-letters.ts'
import { toReaders } from '#services/executor/readers/to-reader.ts'
import { deletion, toApply } from '#test/rig/events.ts'
import { answer, builtIn, createStage, type Call, type Stage } from './stage.ts'

const secret = 'SECRET-4711'
const knows = (value: unknown): boolean => JSON.stringify(value).includes(secret)
const group = 'web:stage'
const direct = 'web:direct'

/** A memory of what was said after "remember": kept outside of any conversation, given to every prompt, and told to the group. */
function createMemory() {
  const kept = new Map<string, { readonly text: string; readonly came: CameOf }>()
  const feature: Feature = {
    name: 'demo-memory',
    context: [
      {
        name: 'facts',
        source: 'own',
        maxTokens: 200,
        withinMs: 1000,
        give: async () =>
          kept.size === 0
            ? undefined
            : {
                text: [...kept.values()].map(({ text }) => text).join('\n'),
                reason: 'it was said',
                about: [...kept.values()].map(({ came }) => came),
              },
      },
    ],
    questions: { keep: { answer: async () => [] } },
    ended: ({ text }) =>
      knows(text)
        ? [
            {
              kind: 'ask',
              question: 'keep',
              text: `Keep ${text}?`,
              payload: text,
              options: [[{ id: 'yes', label: 'Yes' }]],
            },
          ]
        : [],
    letters: { learnt: { came: async ({ event }) => [{ kind: 'send', text: `Learnt: ${event.payload}` }] } },
    after: [
      {
        name: 'learn',
        async take(line) {
          if (line.kind === 'forgotten') for (const id of line.ids) kept.delete(`${line.conversation} ${id}`)
          if (line.kind !== 'turn' || line.conversation !== direct || !line.record.asked.startsWith('remember'))
            return []
          const came = { conversation: line.conversation, messages: line.messages }
          kept.set(`${line.conversation} ${line.id}`, { text: line.record.asked, came })
          return [{ kind: 'letter', to: group, letter: 'learnt', payload: line.record.asked }]
        },
      },
    ],
  }
  return { feature, kept }
}

function open() {
  const memory = createMemory()
  const features = [...builtIn, memory.feature]
  const first = createStage({ features })
  const second = createStage({ features, place: direct }, 128_000, first.kernel)
  const { kernel } = first
  const places = Array.from({ length: partitions }, () => '0-0')
  const [reader] = toReaders({ all: [memory.feature] }, 'reflection')
  /** Reads all records, carries all letters and works them off, until nothing is left. */
  const settle = async (): Promise<void> => {
    for (let pass = 0; pass < 4; pass++) {
      for (const [partition, before] of places.entries()) {
        let at = before
        for (const line of await kernel.readRecords(partition, before, 100)) {
          const taken =
            line.kind === 'gone' || line.kind === 'broken'
              ? undefined
              : await reader?.take(line, new AbortController().signal)
          const { letters = [] } = taken ?? {}
          const step = { partition, reader: reader?.name ?? '', before: at, name: line.name, goesOn: false }
          const from = line.conversation ?? ''
          await kernel.passRecord(letters.length > 0 ? { ...step, from, letters } : step)
          at = line.name
        }
        places[partition] = at
      }
      for (const place of [group, direct])
        await carryLetters({ kernel, hints: { inbound: async () => {} }, onTrouble: () => {} }, toPartition(place))
      for (const stage of [first, second]) {
        await stage.wait(0)
        await stage.work()
      }
    }
  }
  return { memory, group: first, direct: second, settle }
}

/** The model repeats the secret as long as it is shown it. */
function repeat(stage: Stage): void {
  const again = async (call: Call) => {
    stage.answers(again)
    return await answer(call, knows(call.request.messages) ? `It is ${secret}.` : 'I do not know.')
  }
  stage.answers(again)
}

/** All that is kept of a conversation. */
async function storedOf({ kernel, state }: Stage, conversation: string): Promise<readonly unknown[]> {
  const now = await state()
  const artifacts = await kernel.listArtifacts(conversation)
  return [
    { ...now, stored: undefined, slices: [...now.slices] },
    await kernel.readOut(conversation, '0', 1000),
    await kernel.findTurns(conversation, now.session.id),
    await Promise.all(artifacts.map(({ name }) => kernel.findArtifact(conversation, name))),
  ]
}

async function tell(two: ReturnType<typeof open>): Promise<void> {
  await two.direct.ask(`remember ${secret}`)
  await two.settle()
}

test('the answer, the card and the record that memory made in another conversation go with the message', async () => {
  const two = open()
  repeat(two.group)
  await tell(two)
  expect(await two.group.ask('what is it?')).toContain(secret)
  await two.settle()
  expect((await two.group.sent()).map(({ text }) => text)).toContain(`Keep It is ${secret}.?`)
  await two.direct.put(deletion('m1', { conversation: direct }), toApply('delete'))
  await two.direct.work()
  await two.settle()
  expect(two.memory.kept.size).toBe(0)
  expect(knows(await storedOf(two.direct, direct))).toBe(false)
  expect(knows(await storedOf(two.group, group))).toBe(false)
  await two.group.ask('and now?')
  expect(knows(two.group.requests.at(-1)?.messages)).toBe(false)
})

test('so does what a reader wrote to another conversation, which nobody has answered', async () => {
  const two = open()
  await tell(two)
  expect(knows(await storedOf(two.group, group))).toBe(true)
  await two.direct.put(deletion('m1', { conversation: direct }), toApply('delete'))
  await two.direct.work()
  await two.settle()
  expect(knows(await storedOf(two.group, group))).toBe(false)
})

test('what is forgotten while its report is on its way goes once that has come', async () => {
  const two = open()
  repeat(two.group)
  await two.direct.ask(`remember ${secret}`)
  // Known to memory, and to nobody's `told`: the letter that the reader wrote is lost sight of here.
  two.memory.kept.set('by hand', { text: secret, came: { conversation: direct, messages: ['m1'] } })
  expect(await two.group.ask('what is it?')).toContain(secret)
  await two.direct.put(deletion('m1', { conversation: direct }), toApply('delete'))
  await two.direct.work()
  two.memory.kept.clear()
  await two.settle()
  expect(knows(await storedOf(two.group, group))).toBe(false)
})

test('in its own conversation nothing of it is left either', async () => {
  const two = open()
  repeat(two.direct)
  await tell(two)
  expect(await two.direct.ask('what is it?')).toContain(secret)
  await two.direct.put(deletion('m1', { conversation: direct }), toApply('delete'))
  await two.direct.work()
  await two.settle()
  expect(knows(await storedOf(two.direct, direct))).toBe(false)
})

test('each message is reported once', async () => {
  const two = open()
  repeat(two.group)
  await tell(two)
  for (const text of ['what is it?', 'again?', 'and again?']) await two.group.ask(text)
  const reports = two.group.steps.flatMap(({ letters = [] }) =>
    letters.filter(({ event }) => event.letter === 'context.report'),
  )
  expect(reports).toHaveLength(1)
  expect(knows(reports)).toBe(false)
})

test('a note goes with the memory that its words come of, and not with one that was only in the prompt', async () => {
  const came = { conversation: group, messages: ['m1'] }
  const given: Feature = {
    name: 'demo-given',
    context: [
      {
        name: 'facts',
        source: 'own',
        maxTokens: 200,
        withinMs: 1000,
        give: async () => ({ text: 'Ann likes liquorice.', reason: 'it was said', about: [came] }),
      },
    ],
  }
  const stage = createStage({ features: [...builtIn, given] })
  await stage.ask('hello')
  const note = (text: string) => ({
    toolCalls: [{ id: text, name: 'note_write', arguments: JSON.stringify({ title: text, text }) }],
  })
  stage.answers(note('buy bread'), 'Noted.', note('buy liquorice for her'), 'Noted.')
  await stage.ask('note that I buy bread')
  await stage.ask('note that I buy what she likes')
  const notes = async (): Promise<string> => JSON.stringify([...(await stage.state()).slices])
  expect(await notes()).toMatch(/bread.*liquorice/)
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect(await notes()).toContain('bread')
  expect(await notes()).not.toContain('liquorice')
})
