// What people read on the card that asks to approve calls, in both languages: each says it as it is.
import { expect, test } from 'vitest'
import { ann, toCommand } from '#test/rig/events.ts'
import { bob, openShop, pay, textsOf } from './approval-stage.ts'

const member = { principal: bob, group: true, name: 'Bob' } as const

test.each([
  {
    wish: 'Buy it',
    button: 'Here for 30 days',
    says: '"Here for 30 days" approves, in the chat of this request and for 30 days, calls with the very same arguments.',
    state: 'approved here for 30 days',
    listed: 'Approved here by an owner, each until its date (`/tools revoke <number>` takes it back sooner):',
  },
  {
    wish: '请帮我买下来',
    button: '在这里批准 30 天',
    says: '“在这里批准 30 天”批准的是：在提出请求的聊天里，30 天内参数完全相同的调用。',
    state: '已批准，在这里 30 天有效',
    listed: '主人在这里批准的，各到所列日期为止（`/tools revoke <编号>` 提前收回）：',
  },
])('what an owner approves for thirty days says how long: $button', async ({ wish, button, says, state, listed }) => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [pay('a')] })
  await shop.group.ask(wish, member)
  await shop.settle()
  expect((await textsOf(shop.direct)).at(-1)).toContain(says)
  shop.group.answers('Bought.')
  const ended = await shop.direct.press(button)
  expect(ended).toContain(state)
  expect(ended).not.toMatch(/for good|always|长期|总是/i)
  await shop.settle()
  expect(await shop.group.ask('/tools', { principal: ann, as: toCommand('tools') })).toContain(listed)
})

test('an approval that waits a day is not called urgent', async () => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [pay('a', { what: 'wipe' })] })
  await shop.group.ask('Wipe it', { ...member, principal: ann })
  expect((await shop.group.sent()).flatMap(({ asks }) => asks ?? [])).toMatchObject([{ urgency: 'normal' }])
})
