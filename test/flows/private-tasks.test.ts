// A task that somebody orders alone with the bot is theirs: who talks with the bot elsewhere sees nothing of it, whatever they say and whatever the
// model there calls, and a prompt elsewhere has no word of it.
import { expect, test } from 'vitest'
import { startFleet, until } from '#test/rig/fleet.ts'
import { planModel } from './planned-model.ts'

const secret = 'canary81234'
const ann = { conversation: 'web:ann-alone', principal: 'web:ann', name: 'Ann' } as const
const group = { conversation: 'web:grp', group: true, addressed: true } as const
const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) })

test('its files, texts, result and name are nowhere else', { timeout: 60_000 }, async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const model = planModel(fleet.model)
  const steps = [{ title: `On ${secret}`, task: `Write on ${secret}.` }]
  model.answers([call('task_plan', { steps })], [call('file_write', { path: `${secret}.md`, text: secret })])
  model.answers(`All on ${secret}.`, '[ALL]')
  await fleet.tell(`/task write on ${secret} without stopping`, { ...ann, slash: 'task' })
  await until(async () => (await fleet.said(ann.conversation)).some(({ text }) => text.includes('Task #1 · done')))
  const looks = ['', ' plan', ' steps', ' files', ` files ${secret}.md`, ' files all', ' result']
  for (const look of looks) {
    const { text, file } = await fleet.ask(`/task 1${look}`, { ...ann, slash: 'task' })
    expect(`${text} ${file?.name ?? ''} ${file?.caption ?? ''}`, look).toMatch(/Task #1|flowchart/)
  }

  const elsewhere = [
    { ...group, principal: 'web:eve', name: 'Eve' },
    // The person themselves, where others read.
    { ...group, principal: ann.principal, name: ann.name },
    { conversation: 'web:eve-alone', principal: 'web:eve', name: 'Eve' },
  ]
  const asked = model.asked()
  for (const who of elsewhere) {
    // A number that is no task here, with more words behind it, begins one.
    for (const look of looks.filter((one) => !one.startsWith(' files ')))
      expect((await fleet.ask(`/task 1${look}`, { ...who, slash: 'task' })).text).toContain('There is no task #1')
    expect((await fleet.ask('/tasks', { ...who, slash: 'tasks' })).text).toContain('no tasks')
    for (const verb of ['pause', 'resume', 'cancel'])
      expect((await fleet.ask(`/task 1 ${verb}`, { ...who, slash: 'task' })).text).toContain('There is no task #1')
    model.answers(
      [call('session_search', { query: 'canary write' })],
      [call('artifact_read', { name: 'order' })],
      'Nothing.',
    )
    expect((await fleet.ask('what did anybody write?', who)).text).toContain('Nothing.')
  }
  const prompts = fleet.model.ledger.entries.slice(asked)
  expect(prompts.length).toBeGreaterThan(0)
  expect(JSON.stringify(prompts)).not.toContain(secret)
  for (const name of ['web:grp', 'web:eve-alone'])
    expect(JSON.stringify(await fleet.runtime.kernel.readOut(name, '0', 1000))).not.toContain(secret)
  expect(model.unplanned).toEqual([])
})
