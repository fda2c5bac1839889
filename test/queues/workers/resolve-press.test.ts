// A press is looked at for who presses, before it can win.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAccessList, type AccessList } from '#queues/fleet/access.ts'
import { createResolve, type RefusedPress } from '#queues/workers/resolve-press.ts'
import type { Question } from '#shared/run/question.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  bob,
  freshConversation,
  mustClaim,
  step,
} from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const boss = 'telegram:9'
let store: Store
let access: AccessList
let refused: RefusedPress[] = []
beforeAll(async () => {
  store = await openStore()
  access = createAccessList(store.redis, { owners: [boss], everyone: false })
})
beforeEach(() => void (refused = []))
afterAll(() => store.stop())

async function ask(conversation: string, more: Partial<Question> = {}) {
  const question = { ...askedQuestion(conversation, ann), ...more }
  const { epoch } = await mustClaim(store.kernel, conversation)
  await store.kernel.append(conversation, epoch, step(question.id, { questions: [question] }))
  const resolve = createResolve({ kernel: store.kernel, access, onRefused: (press) => void refused.push(press) })
  return async (actor: string, id = 'p') => {
    const event = answerEvent(conversation, question.id, id)
    const { kind } = await resolve({ question: question.id, actor, chat: conversation, choice: 'yes', event })
    return kind
  }
}
const waiting = async (conversation: string): Promise<number> =>
  (await store.kernel.inbox(conversation, 9)).events.length

test('whose access was taken back wins nothing, and the question goes on to wait', async () => {
  const c = freshConversation()
  const press = await ask(c)
  await access.admit('person', ann, boss)
  await access.dismiss('person', ann)
  expect(await press(ann)).toBe('FORBIDDEN')
  expect(await waiting(c)).toBe(0)
  expect(refused).toMatchObject([{ outcome: 'FORBIDDEN', actor: ann }])
  await access.admit('person', ann, boss)
  expect(await press(ann)).toBe('WON')
  expect(await waiting(c)).toBe(1)
})

test('in an admitted chat its members press what they were asked', async () => {
  const c = freshConversation()
  const press = await ask(c)
  await access.dismiss('person', ann)
  await access.admit('chat', c, boss)
  expect(await press(bob)).toBe('FORBIDDEN')
  expect(await press(ann)).toBe('WON')
})

test('the owner presses what others were asked, where its question says so', async () => {
  const [own, shared] = [freshConversation(), freshConversation()]
  expect(await (await ask(own))(boss)).toBe('FORBIDDEN')
  expect(await (await ask(shared, { admins: true }))(boss)).toBe('WON')
})
