// Settings of a person, on a real Redis: what somebody chose holds for them in every conversation and for nobody else, is shown and changed in the
// direct chat alone, and is read by context parts, tools and readers in whatever process.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { demoMemoryCapability } from '#test/rig/demo-memory/demo-memory.ts'
import { wonPress } from '#test/rig/events.ts'
import { startFleet, type Fleet, type FleetOptions, type Said } from '#test/rig/fleet.ts'

const [ann, bob] = ['web:ann', 'web:bob']
const [annAlone, bobAlone, group] = ['web:with-ann', 'web:with-bob', 'web:group']

async function open(more: FleetOptions = {}): Promise<Fleet> {
  const fleet = await startFleet({
    env: { FLOTILLA_ALLOW: '*', FLOTILLA_OWNERS: 'web:boss' },
    features: (ports) => [demoMemoryCapability.create(ports) ?? { name: 'none' }],
    ...more,
  })
  onTestFinished(() => fleet[Symbol.asyncDispose]())
  return fleet
}

const say = async (fleet: Fleet, by: string, conversation: string, text: string): Promise<string> =>
  (await sayTo(fleet, by, conversation, text)).text
async function sayTo(fleet: Fleet, principal: string, conversation: string, text: string): Promise<Said> {
  const [, slash] = /^\/(\S+)/.exec(text) ?? []
  const inGroup = conversation === group ? { group: true, name: principal.slice(4) } : {}
  return await fleet.ask(text, { conversation, principal, ...inGroup, ...(slash === undefined ? {} : { slash }) })
}
const labels = ({ buttons = [] }: Said): readonly string[] => buttons.flat().map(({ label }) => label)

async function press(fleet: Fleet, conversation: string, by: string, card: Said, label: string): Promise<Said> {
  const button = card.buttons?.flat().find((one) => one.label === label)?.id ?? `no button ${label}`
  const [question = '', choice = ''] = button.split('.')
  const id = `press-${randomUUID()}`
  const event = wonPress({ id, conversation, principal: by, at: Date.now(), question, choice })
  const result = await fleet.runtime.ingestKernel.resolve({ question, actor: by, chat: conversation, choice, event })
  expect(result.kind).toBe('WON')
  await fleet.runtime.hints.inbound(conversation)
  return await fleet.replyTo(id, conversation)
}

/** Whether the facts of the group stood in the prompt of what somebody asked there, and what the tool said. */
async function askInGroup(fleet: Fleet, by: string): Promise<{ readonly part: boolean; readonly tool: string }> {
  fleet.model.clearScript()
  fleet.model.script({
    when: { text: 'how many' },
    answer: { kind: 'tools', calls: [{ name: 'count_facts', arguments: '{}' }] },
  })
  fleet.model.ledger.clear()
  await say(fleet, by, group, `how many facts, ${randomUUID()}?`)
  const [first, second] = fleet.model.ledger.entries.map(({ messages }) => messages)
  const tool = second?.findLast(({ role }) => role === 'tool')?.content
  return { part: JSON.stringify(first).includes('Facts: milk is white'), tool: typeof tool === 'string' ? tool : '' }
}

test('two persons of one group chose differently, and each is served as they chose, at once and in each process', async () => {
  const fleet = await open()
  await say(fleet, ann, group, '/memo milk is white')
  const usual = { part: true, tool: '1 kept' }
  const unused = { part: false, tool: 'none may be used here' }
  expect(await say(fleet, ann, annAlone, '/memo_groups not')).toBe('My facts in groups: are not used.')
  expect(await askInGroup(fleet, ann)).toEqual(unused)
  expect(await askInGroup(fleet, bob)).toEqual(usual)
  // Another process, at work beside it on the same Redis, and then alone.
  const other = await open({ redisUrl: fleet.redis.url })
  expect(await say(other, bob, bobAlone, '/memo_groups')).toBe('My facts in groups: may be used')
  const choices = ['not', 'allow', 'not', 'allow', 'not']
  await Promise.all(choices.map((one, n) => say(n % 2 ? fleet : other, bob, `${bobAlone}-${n}`, `/memo_groups ${one}`)))
  const [held] = await Promise.all([fleet, other].map((one) => say(one, bob, bobAlone, '/memo_groups')))
  expect(held).toMatch(/^My facts in groups: (?:may be|are not) used$/)
  expect(await say(other, bob, bobAlone, '/memo_groups not')).toBe('My facts in groups: are not used.')
  expect(await say(other, ann, annAlone, '/memo_groups 可以')).toBe('在群里用我的记忆：可以。')
  expect(await fleet.runtime.people.findChoice(bob, 'memo_groups')).toBe('not')
  expect(await fleet.runtime.people.findChoice(ann, 'memo_groups')).toBe('allow')
})

test('the direct chat shows and changes it by button, command and document; a group says where', async () => {
  const fleet = await open()
  const all = await sayTo(fleet, ann, annAlone, '/config')
  expect(all.text).toContain('- My facts in groups: may be used')
  const opened = await press(fleet, annAlone, ann, all, 'My facts in groups')
  expect(labels(opened)).toEqual(['✓ may be used', 'are not used', 'Back'])
  const set = await press(fleet, annAlone, ann, opened, 'are not used')
  expect(set.text).toContain('- My facts in groups: are not used')
  expect(labels(await sayTo(fleet, ann, 'web:elsewhere', '/memo_groups'))).toEqual(['may be used', '✓ are not used'])

  const wrong = await sayTo(fleet, ann, annAlone, '/memo_groups perhaps')
  expect(wrong.text).toContain('“perhaps” is none of the choices. Write one of `allow`, `not`.')
  const refused = await say(fleet, ann, annAlone, '/config # CONFIG\n\n## Memory\ninGroups: perhaps')
  expect(refused).toContain('`inGroups` cannot be `perhaps`; it is one of `allow`, `not`.')
  expect(await fleet.runtime.people.findChoice(ann, 'memo_groups')).toBe('not')
  const made = await say(fleet, ann, annAlone, '/config # CONFIG\n\n## Memory\ninGroups: allow')
  expect(made).toContain('My facts in groups: may be used')
  expect(await fleet.runtime.people.findChoice(ann, 'memo_groups')).toBe('allow')

  const common = await sayTo(fleet, 'web:boss', group, '/config')
  expect(common.text).toContain(
    '- Your own settings (Noticing, Memory asks after, Confirm memory, Memory in groups, My facts in groups): write /config to me in our direct chat',
  )
  expect(common.text).not.toContain('may be used')
  expect(labels(common)).not.toContain('My facts in groups')
  expect(await say(fleet, bob, group, '/memo_groups not')).toContain('Write /memo_groups to me in our direct chat.')
  expect(await say(fleet, bob, group, '/help')).not.toContain('/memo_groups')
  expect(await say(fleet, bob, bobAlone, '/help')).toContain('/memo_groups')
  const pasted = await say(fleet, 'web:boss', group, '/config # CONFIG\n\n## Memory\ninGroups: not')
  expect(pasted).toContain('`inGroups` is your own; it is set in the direct chat with me.')
  for (const one of [bob, 'web:boss']) expect(await fleet.runtime.people.findChoice(one, 'memo_groups')).toBeUndefined()
})

test('it survives a restart of all processes, and goes with the rest that is known of a person', async () => {
  const first = await open()
  await say(first, ann, annAlone, '/memo_groups not')
  const second = await open({ redisUrl: first.redis.url })
  expect(await say(second, ann, 'web:later', '/memo_groups')).toBe('My facts in groups: are not used')
  // Without what is known of them, as after 400 days in which nobody asked, the usual holds again.
  await first.redis.admin.del(`fl:{person-${ann}}`)
  expect(await say(second, ann, 'web:later', '/memo_groups')).toBe('My facts in groups: may be used')
})
