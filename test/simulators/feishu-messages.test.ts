// Facts about messages of the simulated Feishu: what may be sent, answered, changed and taken back, and with which code the rest is refused.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { card, startRig, type Rig } from './feishu-bot.ts'

const text = (value: string) => ({ text: value })

function change(rig: Rig, id: string, method: 'PUT' | 'PATCH', content: unknown, type?: string): Promise<unknown> {
  const body = { content: JSON.stringify(content), ...(type === undefined ? {} : { msg_type: type }) }
  return rig.call(method, `/im/v1/messages/${id}`, body)
}

const reply = (rig: Rig, id: string, more: object = {}) =>
  rig.call('POST', `/im/v1/messages/${id}/reply`, {
    msg_type: 'text',
    content: JSON.stringify(text('yes')),
    ...more,
  })

test.each([
  ['an unknown chat', 230_001, 'text', text('x'), 'oc_0'],
  ['an unknown person', 230_001, 'text', text('x'), 'ou_0'],
  ['an unknown type', 230_001, 'poem', text('x'), undefined],
  ['content that is no JSON', 230_001, 'text', 'hello', undefined],
  ['an empty text', 230_001, 'text', text(''), undefined],
  ['a text above 150 KB', 230_025, 'text', text('x'.repeat(150 * 1024)), undefined],
  [
    'a rich text above 30 KB',
    230_025,
    'post',
    { zh_cn: { content: [[{ tag: 'md', text: 'x'.repeat(31_000) }]] } },
    undefined,
  ],
  ['a rich text without language', 230_001, 'post', { title: 'x', content: [] }, undefined],
  ['a rich text with an unknown piece', 230_001, 'post', { zh_cn: { content: [[{ tag: 'dance' }]] } }, undefined],
  ['a file that was not uploaded', 230_001, 'file', { file_key: 'file_v3_0' }, undefined],
])('refuses %s with %i', async (_, code, type, content, chat) => {
  await using rig = await startRig()
  expect(await rig.refusal(rig.send(type, content, chat))).toMatchObject({ status: 400, code })
  expect(rig.feishu.visible(rig.group)).toEqual([])
})

test('counts bytes, not characters: 50 000 characters of Chinese are a text of 150 KB', async () => {
  await using rig = await startRig()
  await rig.send('text', text('字'.repeat(51_100)))
  expect(await rig.refusal(rig.send('text', text('字'.repeat(51_200))))).toMatchObject({ code: 230_025 })
})

test('names what is missing in a body, and wants a uuid of 50 characters at most', async () => {
  await using rig = await startRig()
  const path = '/im/v1/messages?receive_id_type=chat_id'
  expect(await rig.refusal(rig.call('POST', path, { receive_id: rig.group }))).toMatchObject({ code: 99_992_402 })
  const long = rig.send('text', text('x'), rig.group, 'u'.repeat(51))
  expect(await rig.refusal(long)).toMatchObject({ code: 99_992_402 })
  expect(
    await rig.refusal(rig.call('POST', '/im/v1/messages', { receive_id: rig.group, msg_type: 'text', content: '{}' })),
  ).toMatchObject({ code: 230_001 })
})

test('writes to a person, whose direct chat it makes', async () => {
  await using rig = await startRig()
  const sent = await rig.send('text', text('hello'), rig.ann.openId)
  expect(sent.chat_id).toBe(rig.ann.dm)
  expect(rig.feishu.visible(rig.ann.dm)).toMatchObject([{ text: 'hello', from: 'bot' }])
})

test('tells who is mentioned, and shows the names', async () => {
  await using rig = await startRig()
  await rig.send('text', text(`<at user_id="${rig.ann.openId}">x</at> and <at user_id="all"></at>: look`))
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: '@Ann and @all: look', pings: [rig.ann.openId, 'all'] }])
})

test('answers in a topic, which a reply may open, but not in a direct chat', async () => {
  await using rig = await startRig()
  const question = rig.ann.say(rig.group, 'hello')
  expect(await reply(rig, question)).not.toHaveProperty('thread_id')
  const first = z
    .looseObject({ thread_id: z.string(), message_id: z.string() })
    .parse(await reply(rig, question, { reply_in_thread: true }))
  const inside = await reply(rig, first.message_id)
  expect(inside).toMatchObject({ thread_id: first.thread_id, root_id: question, parent_id: question })
  expect(rig.feishu.visible(rig.group, first.thread_id)).toHaveLength(3)
  const direct = rig.ann.say(rig.ann.dm, 'hello')
  expect(await rig.refusal(reply(rig, direct, { reply_in_thread: true }))).toMatchObject({ code: 230_071 })
})

test('opens a topic with every message in a group of topics', async () => {
  await using rig = await startRig()
  const group = rig.feishu.addGroup({ isTopics: true })
  const question = rig.ann.say(group, 'hello')
  const answer = z.looseObject({ thread_id: z.string() }).parse(await reply(rig, question))
  expect(rig.feishu.visible(group, answer.thread_id)).toMatchObject([{ id: question }, { text: 'yes' }])
  const other = await rig.send('text', text('new'), group)
  expect(other['thread_id']).not.toBe(answer.thread_id)
})

test('does not answer a message that was taken back, and shows it as deleted', async () => {
  await using rig = await startRig()
  const question = rig.ann.say(rig.group, 'hello')
  rig.ann.recall(rig.group, question)
  expect(await rig.refusal(reply(rig, question))).toMatchObject({ code: 230_011 })
  const read = await rig.call('GET', `/im/v1/messages/${question}`)
  expect(read).toMatchObject({ items: [{ deleted: true, body: { content: 'This message was recalled' } }] })
  expect(await rig.refusal(reply(rig, 'om_0'))).toMatchObject({ code: 230_001 })
})

test('edits texts twenty times, and only its own', async () => {
  await using rig = await startRig({ limits: 'off' })
  const { message_id: id } = await rig.send('text', text('0'))
  for (let n = 1; n <= 20; n++) await change(rig, id, 'PUT', text(String(n)), 'text')
  expect(await rig.refusal(change(rig, id, 'PUT', text('21'), 'text'))).toMatchObject({ code: 230_072 })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: '20', edits: 20 }])
  const question = rig.ann.say(rig.group, 'mine')
  expect(await rig.refusal(change(rig, question, 'PUT', text('x'), 'text'))).toMatchObject({ code: 230_071 })
  const { message_id: asked } = await rig.send('interactive', card('x'))
  expect(await rig.refusal(change(rig, asked, 'PUT', text('x'), 'text'))).toMatchObject({ code: 230_054 })
})

test('changes cards, if they are shared before and after, for fourteen days', async () => {
  await using rig = await startRig({ limits: 'off' })
  const { message_id: said } = await rig.send('text', text('x'))
  expect(await rig.refusal(change(rig, said, 'PATCH', card('y')))).toMatchObject({ code: 230_001 })
  const { message_id: id } = await rig.send('interactive', card('one'))
  const alone = { ...card('two'), config: {} }
  expect(await rig.refusal(change(rig, id, 'PATCH', alone))).toMatchObject({ code: 230_001 })
  await change(rig, id, 'PATCH', card('two'))
  rig.feishu.advance(14 * 86_400_000 + 1000)
  expect(await rig.refusal(change(rig, id, 'PATCH', card('three')))).toMatchObject({ code: 230_031 })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'x' }, { texts: ['one', 'two'] }])
})

test('takes back its own messages within a day', async () => {
  await using rig = await startRig()
  const { message_id: id } = await rig.send('text', text('x'))
  const question = rig.ann.say(rig.group, 'hello')
  expect(await rig.refusal(rig.call('DELETE', `/im/v1/messages/${question}`))).toMatchObject({ code: 230_026 })
  rig.feishu.advance(86_400_001)
  expect(await rig.refusal(rig.call('DELETE', `/im/v1/messages/${id}`))).toMatchObject({ code: 230_026 })
})

test.each([
  ['is not in the group', 230_002, (rig: Rig) => rig.feishu.removeBot(rig.group, 'Olga')],
  ['finds the group dissolved', 232_009, (rig: Rig) => rig.feishu.disband(rig.group, 'Olga')],
  ['has no bot ability', 230_006, (rig: Rig) => rig.feishu.changeApp({ hasBotAbility: false })],
  ['may not speak', 230_018, (rig: Rig) => rig.feishu.setModerated(rig.group, true)],
])('is refused where it %s with %i', async (_, code, act) => {
  await using rig = await startRig()
  const question = rig.ann.say(rig.group, 'hello')
  act(rig)
  expect(await rig.refusal(rig.send('text', text('x')))).toMatchObject({ code })
  expect(await rig.refusal(reply(rig, question))).toMatchObject({ code })
})

test('does not reach a person outside of its range, or one who stopped it, until they write again', async () => {
  await using rig = await startRig()
  rig.feishu.setReach('Ann', false)
  expect(await rig.refusal(rig.send('text', text('x'), rig.ann.openId))).toMatchObject({ code: 230_013 })
  rig.feishu.setReach('Ann', true)
  rig.feishu.stopBot('Ann')
  expect(await rig.refusal(rig.send('text', text('x'), rig.ann.openId))).toMatchObject({ code: 230_053 })
  rig.ann.say(rig.ann.dm, 'again')
  await rig.send('text', text('x'), rig.ann.openId)
})

test('lists what was said, page by page, also what others said', async () => {
  await using rig = await startRig()
  for (const one of ['a', 'b', 'c']) rig.ann.say(rig.group, one)
  const path = `/im/v1/messages?container_id_type=chat&container_id=${rig.group}&page_size=2`
  const page = z.looseObject({ items: z.array(z.unknown()), page_token: z.string() }).parse(await rig.call('GET', path))
  expect(page.items).toHaveLength(2)
  const rest = await rig.call('GET', `${path}&page_token=${page.page_token}`)
  expect(rest).toMatchObject({ has_more: false, items: [{ body: { content: '{"text":"c"}' } }] })
})

test('reacts once with a name that Feishu has, and takes back only its own', async () => {
  await using rig = await startRig()
  const question = rig.ann.say(rig.group, 'hello')
  const path = `/im/v1/messages/${question}/reactions`
  const add = (emoji: string) => rig.call('POST', path, { reaction_type: { emoji_type: emoji } })
  expect(await rig.refusal(add('👍'))).toMatchObject({ code: 231_001 })
  const made = z.looseObject({ reaction_id: z.string() }).parse(await add('THUMBSUP'))
  expect(await add('THUMBSUP')).toMatchObject({ reaction_id: made.reaction_id })
  rig.feishu.person('Bob').react(rig.group, question, 'OK')
  const listed = z
    .looseObject({ items: z.array(z.looseObject({ reaction_id: z.string() })) })
    .parse(await rig.call('GET', path))
  expect(listed.items).toHaveLength(2)
  const theirs = listed.items[1]?.reaction_id ?? ''
  expect(await rig.refusal(rig.call('DELETE', `${path}/${theirs}`))).toMatchObject({ code: 231_007 })
  await rig.call('DELETE', `${path}/${made.reaction_id}`)
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ reactions: { OK: ['Bob'] } }])
})

test('knows groups, members and people', async () => {
  await using rig = await startRig()
  rig.ann.say(rig.group, 'hello')
  expect(await rig.call('GET', `/im/v1/chats/${rig.group}`)).toMatchObject({
    name: 'Team',
    chat_mode: 'group',
    owner_id: rig.feishu.person('Olga').openId,
    user_manager_id_list: [rig.feishu.person('Adam').openId],
    user_count: '3',
  })
  expect(await rig.call('GET', `/im/v1/chats/${rig.group}/members`)).toMatchObject({ member_total: 3, has_more: false })
  expect(await rig.call('GET', `/contact/v3/users/${rig.ann.openId}?user_id_type=open_id`)).toMatchObject({
    user: { name: 'Ann' },
  })
  expect(await rig.refusal(rig.call('GET', '/contact/v3/users/ou_0'))).toMatchObject({ code: 41_012 })
  expect(await rig.refusal(rig.call('GET', '/im/v1/chats/oc_0'))).toMatchObject({ code: 232_006 })
  rig.feishu.removeBot(rig.group, 'Olga')
  expect(await rig.refusal(rig.call('GET', `/im/v1/chats/${rig.group}`))).toMatchObject({ code: 232_011 })
})

test('gives a file of a person by its message and key alone', async () => {
  await using rig = await startRig()
  const id = rig.ann.send(rig.group, 'file', { name: 'notes.txt', content: 'notes' })
  const read = await rig.call('GET', `/im/v1/messages/${id}`)
  const key = /file_key[\\": ]+([\w]+)/.exec(JSON.stringify(read))?.[1] ?? ''
  const token = await fetch(`${rig.feishu.apiRoot}/open-apis/auth/v3/tenant_access_token/internal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ app_id: rig.feishu.appId, app_secret: rig.feishu.appSecret }),
  }).then((answer) => answer.json())
  const { tenant_access_token: bearer } = z.looseObject({ tenant_access_token: z.string() }).parse(token)
  const get = (message: string) =>
    fetch(`${rig.feishu.apiRoot}/open-apis/im/v1/messages/${message}/resources/${key}?type=file`, {
      headers: { authorization: `Bearer ${bearer}` },
    })
  expect(await (await get(id)).text()).toBe('notes')
  const other = rig.ann.say(rig.group, 'x')
  expect(await (await get(other)).json()).toMatchObject({ code: 234_003 })
})
