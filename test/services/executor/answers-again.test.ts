// What people do with an answer that was given: have it rewritten, continued or shown again, also late, by another, or in a busy group.
import { expect, test } from 'vitest'
import type { OutBody } from '#shared/run/out-row.ts'
import { ann, conversation, edit, overheard, toApply, toCommand, wonPress } from '#test/rig/events.ts'
import { createStage, loseDuringCall, type Stage } from './stage.ts'

const long = 'x'.repeat(500)
/** What the last step put into the outbox, by kind. */
const lastRows = (stage: Stage): readonly string[] => (stage.steps.at(-1)?.rows ?? []).map(({ body }) => body.kind)
const labels = (body: OutBody | undefined): readonly string[] =>
  body?.kind === 'send' ? (body.buttons ?? []).flat().map(({ label }) => label) : []

test('a press on an answer that another has followed takes the buttons off both', async () => {
  const stage = createStage()
  stage.answers(long, long)
  await stage.ask('first')
  const [first] = await stage.sent()
  await stage.say('second')
  const [question = '', choice = ''] = first?.buttons?.flat()[0]?.id.split('.') ?? []
  const event = wonPress({ question, choice })
  await stage.kernel.resolve({ question, actor: ann, chat: conversation, choice, event, asAdmin: false })
  const { routedSeq } = await stage.kernel.inbox(conversation, 9)
  await stage.kernel.route(conversation, routedSeq, [toApply('answer')])
  await stage.work()
  expect((await stage.sent()).at(-1)?.text).toContain('not my last one any more')
  expect(lastRows(stage)).toEqual(['send', 'unbutton', 'unbutton'])
  expect((await stage.state()).under).toBeUndefined()
})

test.each([
  [500, 'edited in place', true],
  [6000, 'written anew below, since it was sent in parts', false],
])('an answer of %i characters is %s, whatever was overheard since', async (length, _, isEdit) => {
  const stage = createStage()
  stage.answers('y'.repeat(length), 'short')
  await stage.ask('tell me')
  const lunch = overheard({ id: 'lunch', conversation, principal: 'web:bob', text: 'lunch?' })
  await stage.put(lunch, toApply('group.observed'))
  await stage.work()
  await stage.press('Shorter')
  const [end] = stage.steps.at(-1)?.rows ?? []
  const first = stage.steps.find(({ key }) => key.endsWith('/end'))?.rows?.[0]?.id
  expect(end?.body.kind === 'send' && end.body.replaces === first).toBe(isEdit)
})

test.each(['Continue', 'Shorter'])('whoever presses %s, the answer stays with the one who asked', async (label) => {
  const stage = createStage()
  stage.answers({ text: long, finish: label === 'Continue' ? 'length' : 'stop' }, long)
  await stage.ask('tell me')
  const { resolve } = stage.kernel
  Object.assign(stage.kernel, {
    resolve: (press: Parameters<typeof resolve>[0]) => resolve({ ...press, asAdmin: true }),
  })
  await stage.press(label, 'web:bob')
  expect(stage.steps.at(-1)?.questions?.map(({ owner }) => owner)).toEqual([ann])
})

test('an answer that is shown again comes without the buttons that end with it; those of other questions stay', async () => {
  const stage = createStage()
  stage.answers(long)
  await stage.ask('tell me')
  const [lost] = await stage.sent()
  const kept = [...(lost?.buttons ?? []), [{ id: 'p01-other.yes', label: 'Yes' }]]
  const payload = JSON.stringify({ ...lost, buttons: kept })
  await stage.put(wonPress({ payload, choice: 'show', about: 'show-again.show' }), toApply('answer'))
  await stage.work()
  const again = (await stage.sent()).at(-1)
  expect(again?.text).toBe(long)
  expect(labels(again)).toEqual(['Yes'])
})

test.each(['is read', 'is set aside', 'is put off'])(
  'what was edited before it %s is nowhere as it was before, also when it is asked again',
  async (what) => {
    const isCongested = { now: what === 'is put off' }
    const stage = createStage()
    const { claim } = stage.kernel
    Object.assign(stage.kernel, {
      claim: async (...all: Parameters<typeof claim>) => ({ ...(await claim(...all)), isCongested: isCongested.now }),
    })
    const { pending } = stage.kernel
    Object.assign(stage.kernel, {
      pending: async (...all: Parameters<typeof pending>) => ({
        ...(await pending(...all)),
        isCongested: isCongested.now,
      }),
    })
    await stage.say('my key is kestrel-x')
    await stage.put(edit('my key is none', { conversation }), toApply('edit'))
    if (what === 'is set aside') for (let n = 0; n < 6; n++) await loseDuringCall(stage)
    await stage.work()
    isCongested.now = false
    await stage.ask('/retry', { as: toCommand('retry') })
    expect(JSON.stringify(stage.requests)).toContain('my key is none')
    for (const kept of [stage.requests, stage.steps, await stage.state()])
      expect(JSON.stringify(kept)).not.toContain('kestrel-x')
  },
)
