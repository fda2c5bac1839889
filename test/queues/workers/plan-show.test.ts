// How far a plan is, as edits on a scripted platform: one for each state, at the pace and out of the share of drafts, none where there is no message.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import { createSendBudget, type SendLimits } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery, DraftOutcome, ShownDraft } from '#queues/workers/channel-adapter.ts'
import { createPlanShow, type PlanShow } from '#queues/workers/plan-show.ts'
import { toPlanRow } from '#shared/run/out-row.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
beforeEach(async () => void (await store.server.admin.flushall()))
afterAll(() => store.stop())

const conversation = 'telegram:7'
const sender = { conversation, owner: 'a', ttlMs: 10_000, sendTimeoutMs: 2000, idempotentForMs: 0 }
const row = toPlanRow('t1')

type Screen = { readonly edits: ShownDraft[]; show(text: string, receipt?: string): Promise<boolean>; plans: PlanShow }

function open({
  outcome = { kind: 'shown' },
  everyMs = 0,
  ...limits
}: Partial<SendLimits> & { outcome?: DraftOutcome; everyMs?: number } = {}): Screen {
  const edits: ShownDraft[] = []
  const delivery: ChannelDelivery = {
    idempotentForMs: 0,
    sendTimeoutMs: 2000,
    limits: (chat) => ({ bot: 'telegram:1', chat, perBot: [], perChat: [], cosmetics: [], ...limits }),
    streaming: () => ({ as: 'draft', everyMs }),
    chatOf: (one) => one,
    closes: () => false,
    split: (body) => [body],
    deliver: async () => ({ kind: 'sent', receipt: '1' }),
    async showDraft(_, draft) {
      edits.push(draft)
      return outcome
    },
  }
  const deps = { delivery, budget: createSendBudget(store.call), chats: createChatBook(store.call) }
  const plans = createPlanShow(deps, { ...sender, certain: createStillLiveness().sure() })
  return {
    edits,
    plans,
    show: (text, receipt = '77') =>
      plans.show(
        {
          draft: { turn: 't1', text: 'the answer', plan: { row, text } },
          ...(receipt === '' ? {} : { plan: receipt }),
        },
        new AbortController().signal,
      ),
  }
}

test('edits the message of the plan once for each state of it', async () => {
  const { edits, plans, show } = open()
  plans.note({ id: row, body: toBody('[1/3]', { plan: true }) })
  expect(await show('[1/3]')).toBe(false)
  expect(await show('[2/3]')).toBe(true)
  expect(await show('[2/3]')).toBe(false)
  expect(edits).toEqual([{ turn: 't1', text: '[2/3]', message: { receipt: '77', buttons: [], language: 'en' } }])
  expect(plans.takeUnclear()).toBe(false)
})

test('edits nothing where no message of it is known', async () => {
  const { edits, show } = open()
  expect(await show('[2/3]', '')).toBe(false)
  expect(edits).toEqual([])
})

test('what comes too fast is shown by its newest state only', async () => {
  const { edits, show } = open({ everyMs: 120 })
  for (const text of ['[1/9]', '[2/9]', '[3/9]']) await show(text)
  await sleep(150)
  await show('[4/9]')
  expect(edits.map(({ text }) => text)).toEqual(['[1/9]', '[4/9]'])
})

test('takes a permit of the chat out of the share of what nobody would miss', async () => {
  const { edits, show } = open({ perChat: [{ count: 1, perMs: 60_000 }] })
  expect([await show('[1/3]'), await show('[2/3]')]).toEqual([true, false])
  const few = open({ chat: 'telegram:8', cosmetics: [{ count: 2, perMs: 60_000 }] })
  for (const text of ['[1/3]', '[2/3]', '[3/3]']) await few.show(text)
  expect([edits.length, few.edits.length]).toEqual([1, 2])
})

test('a refused edit is the last one of the plan; where the platform only asks to wait, it is not', async () => {
  const gone = open({ outcome: { kind: 'refused', afterMs: 10 } })
  for (const text of ['[1/3]', '[2/3]', '[3/3]']) await gone.show(text)
  expect(gone.edits).toHaveLength(1)
  await store.server.admin.flushall()
  const busy = open({ outcome: { kind: 'refused', afterMs: 60, slowDown: 'chat' } })
  await busy.show('[1/3]')
  expect(await busy.show('[2/3]')).toBe(false)
  await sleep(150)
  // The minute after it is over.
  await store.server.admin.del('fl:{send:telegram:1}:wide:telegram:7')
  expect(await busy.show('[3/3]')).toBe(true)
})

test('remembers that an edit may still arrive late, until it is asked', async () => {
  const { plans, show } = open({ outcome: { kind: 'unclear' } })
  await show('[2/3]')
  expect([plans.takeUnclear(), plans.takeUnclear()]).toEqual([true, false])
})
