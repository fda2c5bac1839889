// What people read on the card that asks to approve calls, in both languages: each says it as it is.
import { expect, test } from 'vitest'
import { ann, toCommand } from '#test/rig/events.ts'
import { createHttpRequest } from '#services/http-request/http-request.ts'
import { askCard, toRendering } from '#services/tool-rights/card.ts'
import type { Pending } from '#services/tool-rights/pending.ts'
import { bob, openShop, pay, read, textsOf } from './approval-stage.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const member = { principal: bob, group: true, name: 'Bob' } as const

test.each([
  {
    wish: 'Buy it',
    button: 'For 30 days',
    says: '"For 30 days" approves, in the chat of this request, calls with the very same arguments.',
    state: 'approved for 30 days',
    listed: 'Approved here by an owner, each until its date (`/tools revoke <number>` takes it back sooner):',
  },
  {
    wish: '请帮我买下来',
    button: '批准 30 天',
    says: '“批准 30 天”批准的是：在提出请求的聊天里，30 天内参数完全相同的调用。',
    state: '已批准 30 天',
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

const asker = { principal: ann, group: true, name: 'Ann' } as const
const en = { wish: 'Buy it', once: 'Approve once', deny: 'Deny' }
const zh = { wish: '请帮我买下来', once: '批准一次', deny: '拒绝' }

test.each([
  {
    ...en,
    silence: 'If nobody answers within 24 hours, I do not do it.',
    yes: '✓ Approved by `web:ann`.',
    no: '✗ Denied by `web:ann`.',
  },
  { ...zh, silence: '24 小时内没有回答，我就不做。', yes: '✓ `web:ann`批准了。', no: '✗ `web:ann`拒绝了。' },
])(
  'the card says what silence means, and once it has ended who decided what: $wish',
  async ({ wish, silence, ...said }) => {
    for (const [button, end] of [
      [said.once, said.yes],
      [said.deny, said.no],
    ] as const) {
      const shop = openShop()
      shop.group.answers({ toolCalls: [read] }, { toolCalls: [pay('a')] }, 'Well.')
      expect(await shop.group.ask(wish, asker)).toContain(silence)
      expect((await shop.group.press(button)).split('\n')).toContain(end)
    }
  },
)

test.each([
  {
    ...en,
    silence: 'Unless all of them are decided within 24 hours, I do none.',
    all: 'Approve all once',
    mixed: '✗ Denied by `web:ann`: 1, 3. ✓ Approved by `web:ann`: 2.',
    alike: '✓ Approved by `web:ann`.',
  },
  {
    ...zh,
    silence: '24 小时内没有全部决定，我就一个都不做。',
    all: '全部批准一次',
    mixed: '✗ `web:ann`拒绝了：1、3。✓ `web:ann`批准了：2。',
    alike: '✓ `web:ann`批准了。',
  },
])('of several it says which: $wish', async ({ wish, silence, deny, once, all, mixed, alike }) => {
  for (const [buttons, end] of [
    [[`1. ${deny}`, `3. ${deny}`, `2. ${once}`], mixed],
    [[all], alike],
  ] as const) {
    const shop = openShop()
    shop.group.answers({ toolCalls: [read] }, { toolCalls: ['a', 'b', 'c'].map((id) => pay(id, { to: id })) }, 'Well.')
    expect(await shop.group.ask(wish, asker)).toContain(silence)
    let said = ''
    for (const button of buttons) said = await shop.group.press(button)
    expect(said.split('\n')).toContain(end)
  }
})

test.each([
  { ...en, end: '⌛ Nobody answered in time, so I did nothing.' },
  { ...zh, end: '⌛ 没有人及时回答，所以我什么都没有做。' },
])('after silence it says that nothing was done: $wish', async ({ wish, end }) => {
  const shop = openShop()
  shop.group.answers({ toolCalls: [read] }, { toolCalls: [pay('a')] })
  await shop.group.ask(wish, asker)
  expect((await shop.group.wait(2 * 86_400_000)).split('\n')).toContain(end)
  expect(shop.made).toEqual([])
})

test.each([
  {
    wish: 'Wipe it',
    once: 'Approve once',
    first: 'It cannot be taken back, so after your yes I ask once more.',
    head: '**Are you sure?**',
    second:
      'This is the second and last time that I ask. “Yes, do it” does it at once, and it cannot be taken back. “Deny” leaves it undone.',
    both: '1, 2: this is the second and last time that I ask. “Yes, do it” does it once all calls here are decided',
    all: 'Approve all once',
  },
  {
    wish: '请把它清空',
    once: '批准一次',
    first: '这无法撤销，所以你同意后，我会再问一次。',
    head: '**你确定吗？**',
    second: '这是第二次，也是最后一次问你。“是的，去做”：我马上就做，无法撤销；“拒绝”：不做。',
    both: '1、2：这是第二次，也是最后一次问你。“是的，去做”：我在这张卡片全部决定之后就做',
    all: '全部批准一次',
  },
])(
  'the second ask says that it is the last, and what happens: $wish',
  async ({ wish, once, first, head, second, both, all }) => {
    const wipe = (id: string) => pay(id, { what: 'wipe', id })
    const shop = openShop()
    shop.group.answers({ toolCalls: [wipe('a')] })
    const asked = await shop.group.ask(wish, asker)
    expect(asked).toContain(first)
    expect(asked).not.toContain(second)
    const again = await shop.group.press(once)
    expect(again).toContain(head)
    expect(again).toContain(second)
    expect(again).not.toContain(first)
    const two = openShop()
    two.group.answers({ toolCalls: [wipe('a'), wipe('b')] })
    await two.group.ask(wish, asker)
    expect(await two.group.press(all)).toContain(both)
  },
)

test('a request is shown by one line of its own, and one that reads is not said to change anything', () => {
  const port = {
    hosts: [],
    honoursKeys: () => false,
    send: async () => await Promise.reject(new Error('It was sent.')),
  }
  const tools = toolsOf([createHttpRequest(port)])
  const textOf = (method: string, url: string): string => {
    const given = JSON.stringify({ method, url })
    const call = {
      name: 'http_request',
      arguments: given,
      key: 'k',
      why: 'tainted',
      taint: ['page'],
      state: 'open',
    } as const
    const of = {
      v: 1,
      id: 'c',
      home: 'web:g',
      requester: ann,
      approver: ann,
      task: 'Go',
      sinceMs: 0,
      isShown: false,
    } as const
    const card: Pending = { ...of, calls: [{ ...call, taint: [...call.taint] }] }
    return askCard(card, { ...toRendering(card, { language: 'en', tools, nowMs: 0 }), inPlace: false }).text
  }
  const remove = textOf('DELETE', 'https://shop.test/orders/17')
  expect(remove).toContain(
    '**May I do this?**\n\n`http_request` · changes things outside\n`DELETE https://shop.test/orders/17`\n```json',
  )
  expect(remove).toContain('I had just read text by others (`page`). Check that you want this.')
  expect(textOf('GET', 'https://shop.test/orders')).toContain(
    '`http_request` · only reads\n`GET https://shop.test/orders`',
  )
  expect(textOf('GET', 'https://sh\u043ep.test/')).toContain(String.raw`sh\u043ep.test`)
})

test.each([
  ['feishu:oc_1:om_1', 'feishu:ou_1', false],
  ['feishu:oc_1', 'feishu:ou_1', true],
  ['telegram:-7:3', 'telegram:1', true],
  ['feishu:oc_1:om_1', 'feishu:ou_2', true],
] as const)('where replies are not told the card does not ask for one: %s, approved by %s', (home, approver, says) => {
  const call = {
    name: 'pay',
    arguments: '{}',
    key: 'k',
    why: 'destructive' as const,
    taint: [],
    state: 'open' as const,
  }
  const requester = home.startsWith('feishu') ? 'feishu:ou_1' : approver
  const whose = { id: 'a', home, requester, approver, task: 'Buy it' }
  const card: Pending = { v: 1, ...whose, calls: [call], sinceMs: 0, isShown: false }
  const texts = (['en', 'zh'] as const).map(
    (language) => askCard(card, { ...toRendering(card, { language, tools: [], nowMs: 0 }), inPlace: false }).text,
  )
  expect(texts.map((text) => /reply to this message|回复这条消息/.test(text))).toEqual([says, says])
})
