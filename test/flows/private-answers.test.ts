// What somebody answered in private is for whoever asked, and for nobody else's eyes: a third member of the group says every command and has every tool
// used that reads something, and meets not one word of it; nor does a prompt of theirs, a file, or a summary.
import { expect, test } from 'vitest'
import { listCommands } from '#infra/processes/features.ts'
import type { ModelAnswer } from '#test/simulators/model/script.ts'
import { startFleet, until, type Fleet, type Telling } from '#test/rig/fleet.ts'

const secret = 'canary81234'
const group = { conversation: 'web:grp', group: true, addressed: true } as const
const [ann, bob, eve, dan] = [
  { ...group, principal: 'web:ann', name: 'Ann' },
  { ...group, principal: 'web:bob', name: 'Bob' },
  { ...group, principal: 'web:eve', name: 'Eve' },
  { ...group, principal: 'web:dan', name: 'Dan' },
]
const call = (name: string, input: object): ModelAnswer => ({
  kind: 'tools',
  calls: [{ id: `call_${name}`, name, arguments: JSON.stringify(input) }],
})
const asking = {
  kind: 'knowledge',
  question: 'What is your salary?',
  why: 'for the plan',
  otherwise: 'I leave it out',
  who: 'Bob',
  private: true,
}
const reading = {
  session_search: { query: 'salary euros answer' },
  note_list: {},
  note_read: { title: 'Pay' },
  artifact_read: { name: 'message.1' },
  reminder_list: {},
  human_ask: asking,
} as const

/** A model in nobody's hands: it asks Bob, keeps what he says if it can, and reads whatever it is told to. */
function decide(fleet: Fleet): void {
  fleet.model.decideBy(({ messages }) => {
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const said = JSON.stringify(messages[at]?.content)
    const isFirst = messages.length === at + 1 || messages.slice(at + 1).every(({ role }) => role === 'system')
    const tool = Object.entries(reading).find(([name]) => said.includes(`use ${name}`))
    if (isFirst && said.includes('ask Bob')) return { answer: call('human_ask', asking) }
    if (isFirst && said.includes(secret)) return { answer: call('note_write', { title: 'Pay', text: secret }) }
    if (isFirst && tool) return { answer: call(...tool) }
    return { answer: { kind: 'text', text: 'I can go on.' } }
  })
}

const promptsWith = ({ model }: Fleet, since: number): readonly unknown[] =>
  model.ledger.entries.slice(since).filter(({ messages }) => JSON.stringify(messages).includes(secret))

/** Bob answers the card in his direct chat, and the group's turn goes on with that. */
async function answerInPrivate(fleet: Fleet): Promise<void> {
  await fleet.ask('what can you do?', { ...bob, conversation: 'web:bobdm', group: false })
  await fleet.ask('what is the plan here?', bob)
  await fleet.ask('please ask Bob for his salary', ann)
  const rowOf = async (): Promise<string | undefined> => {
    const items = await fleet.runtime.kernel.readOut('web:bobdm', '0', 100)
    return items.flatMap((item) => {
      const body = item.role === 'bot' ? item.body : undefined
      return body?.kind === 'send' && body.buttons && body.text.includes('salary') ? [body.row ?? ''] : []
    })[0]
  }
  const messageId = await until(rowOf)
  const replyTo = { messageId, fromBot: true }
  const answer: Telling = {
    ...bob,
    conversation: 'web:bobdm',
    group: false,
    messageId: 'b2',
    at: Date.now() + 5000,
    replyTo,
  }
  await fleet.tell(`My salary is ${secret} euros`, answer)
  await until(() => promptsWith(fleet, 0).length >= 2)
  await until(async () => (await fleet.said('web:grp')).at(-1)?.text.includes('I can go on'))
}

test('a private answer meets nobody else in the group: by no command, no tool and no prompt', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  decide(fleet)
  await answerInPrivate(fleet)
  const since = fleet.model.ledger.entries.length
  for (const [name] of Object.entries(reading)) await fleet.ask(`please use ${name}`, eve)
  const last = ['retry', 'forget', 'new', 'stop']
  const commands = listCommands().map(({ name }) => name)
  const inOrder = [...commands.filter((name) => !last.includes(name)), ...last]
  expect(commands).toEqual(expect.arrayContaining(['working', 'why', 'export', ...last]))
  // Nobody gets more than thirty answers to commands in ten minutes.
  for (const [nth, slash] of inOrder.entries())
    await fleet.ask(`/${slash}`, { ...(nth < 20 ? dan : eve), slash, senderIsAdmin: true })
  expect(promptsWith(fleet, since)).toEqual([])
  const shown = await fleet.runtime.kernel.readOut('web:grp', '0', 1000)
  expect(JSON.stringify(shown)).not.toContain(secret)
  // Nothing was kept of it, either.
  expect(JSON.stringify(fleet.model.ledger.entries)).toContain('nothing is kept while this turn works on what')
})

test('whoever asked has it in their later turns, and their own words of it are theirs', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  decide(fleet)
  await answerInPrivate(fleet)
  const since = fleet.model.ledger.entries.length
  await fleet.ask('so what is the sum?', ann)
  expect(promptsWith(fleet, since)).not.toEqual([])
  await fleet.ask('/retry', { ...eve, slash: 'retry' })
  await fleet.ask('and what did he say?', eve)
  expect(promptsWith(fleet, since + 1)).toEqual([])
})
