// Facts about the application in the simulated Feishu: tokens, permissions, the month's calls, and what the console tells.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { allScopes, scopesOfRoutes } from '#test/simulators/feishu/scopes.ts'
import { card, startRig, type Rig } from './feishu-bot.ts'

const text = { text: 'x' }

/** A call of each route that needs a permission, such that it would succeed. */
const calls: Readonly<
  Record<string, (rig: Rig, made: { message: string; card: string; reaction: string }) => Promise<unknown>>
> = {
  createMessage: (rig) => rig.send('text', text),
  replyMessage: (rig, { message }) =>
    rig.call('POST', `/im/v1/messages/${message}/reply`, { msg_type: 'text', content: JSON.stringify(text) }),
  patchMessage: async (rig, { message }) =>
    rig.call('PATCH', `/im/v1/messages/${message}`, { content: JSON.stringify(card('y')) }),
  editMessage: (rig, { message }) => rig.call('PUT', `/im/v1/messages/${message}`, { msg_type: 'text', content: '{}' }),
  getMessage: (rig, { message }) => rig.call('GET', `/im/v1/messages/${message}`),
  listMessages: (rig) => rig.call('GET', `/im/v1/messages?container_id_type=chat&container_id=${rig.group}`),
  deleteMessage: (rig, { message }) => rig.call('DELETE', `/im/v1/messages/${message}`),
  addReaction: (rig, { message }) =>
    rig.call('POST', `/im/v1/messages/${message}/reactions`, { reaction_type: { emoji_type: 'OK' } }),
  removeReaction: (rig, { message, reaction }) =>
    rig.call('DELETE', `/im/v1/messages/${message}/reactions/${reaction}`),
  listReactions: (rig, { message }) => rig.call('GET', `/im/v1/messages/${message}/reactions`),
  uploadFile: (rig) => rig.call('POST', '/im/v1/files', {}),
  uploadImage: (rig) => rig.call('POST', '/im/v1/images', {}),
  getResource: (rig, { message }) => rig.call('GET', `/im/v1/messages/${message}/resources/x?type=file`),
  getChat: (rig) => rig.call('GET', `/im/v1/chats/${rig.group}`),
  listMembers: (rig) => rig.call('GET', `/im/v1/chats/${rig.group}/members`),
  isInChat: (rig) => rig.call('GET', `/im/v1/chats/${rig.group}/members/is_in_chat`),
  getUser: (rig) => rig.call('GET', `/contact/v3/users/${rig.ann.openId}`),
  createCard: (rig) => rig.call('POST', '/cardkit/v1/cards', { type: 'card_json', data: JSON.stringify(card('x')) }),
  updateCard: (rig, made) => rig.call('PUT', `/cardkit/v1/cards/${made.card}`, {}),
  updateCardSettings: (rig, made) => rig.call('PATCH', `/cardkit/v1/cards/${made.card}/settings`, {}),
  updateCardContent: (rig, made) => rig.call('PUT', `/cardkit/v1/cards/${made.card}/elements/answer/content`, {}),
  addCardElements: (rig, made) => rig.call('POST', `/cardkit/v1/cards/${made.card}/elements`, {}),
  updateCardElement: (rig, made) => rig.call('PUT', `/cardkit/v1/cards/${made.card}/elements/answer`, {}),
  patchCardElement: (rig, made) => rig.call('PATCH', `/cardkit/v1/cards/${made.card}/elements/answer`, {}),
  deleteCardElement: (rig, made) =>
    rig.call('DELETE', `/cardkit/v1/cards/${made.card}/elements/answer`, { sequence: 1 }),
  convertCardId: (rig, { message }) => rig.call('POST', '/cardkit/v1/cards/id_convert', { message_id: message }),
  getApplication: (rig) => rig.call('GET', `/application/v6/applications/${rig.feishu.appId}?lang=zh_cn`),
  listVersions: (rig) => rig.call('GET', `/application/v6/applications/${rig.feishu.appId}/app_versions?lang=zh_cn`),
  getVersion: (rig) => rig.call('GET', `/application/v6/applications/${rig.feishu.appId}/app_versions/x?lang=zh_cn`),
}

async function make(rig: Rig) {
  const { message_id: message } = await rig.send('interactive', card('x'))
  const reacted = await rig.call('POST', `/im/v1/messages/${message}/reactions`, {
    reaction_type: { emoji_type: 'OK' },
  })
  const made = await rig.call('POST', '/cardkit/v1/cards', { type: 'card_json', data: JSON.stringify(card('x')) })
  const { reaction_id: reaction } = z.looseObject({ reaction_id: z.string() }).parse(reacted)
  return { message, reaction, card: z.looseObject({ card_id: z.string() }).parse(made).card_id }
}

/** The code that a call came to; 0 for success. */
async function codeOf(rig: Rig, call: Promise<unknown>): Promise<{ code: number; msg: string }> {
  const done = await call.then(
    () => ({ code: 0, msg: '' }),
    () => undefined,
  )
  return done ?? (await rig.refusal(call))
}

test('has a call for every route that needs a permission', () => {
  expect(Object.keys(calls).toSorted((a, b) => a.localeCompare(b))).toEqual(
    Object.keys(scopesOfRoutes).toSorted((a, b) => a.localeCompare(b)),
  )
})

test.each(Object.keys(calls))(
  'refuses %s with 99991672 once every permission for it is gone, and nothing else',
  async (route) => {
    await using rig = await startRig({ limits: 'off' })
    const made = await make(rig)
    const call = calls[route]
    const scopes = scopesOfRoutes[route] ?? []
    if (call === undefined) throw new Error(`There is no call for ${route}`)
    rig.feishu.deny(...scopes)
    const refused = await codeOf(rig, call(rig, made))
    expect(refused.code).toBe(99_991_672)
    expect(refused.msg).toContain(`One of the following scopes is required: [${scopes.join(', ')}]`)
    const left: readonly string[] = allScopes.filter((scope) => !scopes.includes(scope))
    const others = Object.keys(calls).filter((name) =>
      (scopesOfRoutes[name] ?? []).some((scope) => left.includes(scope)),
    )
    for (const other of others)
      expect((await codeOf(rig, calls[other]?.(rig, made) ?? Promise.resolve())).code).not.toBe(99_991_672)
    for (const scope of scopes) {
      rig.feishu.grant(scope)
      expect((await codeOf(rig, call(rig, made))).code).not.toBe(99_991_672)
      rig.feishu.deny(scope)
    }
  },
)

test('gives names and the ids of a company only with permissions of their own', async () => {
  await using rig = await startRig()
  const read = () => rig.call('GET', `/contact/v3/users/${rig.ann.openId}`)
  expect(await read()).toMatchObject({ user: { name: 'Ann', user_id: rig.ann.userId } })
  rig.feishu.deny('contact:user.base:readonly', 'contact:user.employee_id:readonly')
  const { user } = z.looseObject({ user: z.looseObject({}) }).parse(await read())
  expect(Object.keys(user)).toEqual(['open_id', 'union_id'])
})

test('refuses calls without a token, with a wrong one, with one that was revoked, and of an app that is off', async () => {
  await using rig = await startRig()
  const url = `${rig.feishu.apiRoot}/open-apis/bot/v3/info`
  const get = async (headers: Record<string, string>) => await (await fetch(url, { headers })).json()
  expect(await get({})).toMatchObject({ code: 99_991_661 })
  expect(await get({ authorization: 'Bearer t-0' })).toMatchObject({ code: 99_991_663 })
  await rig.send('text', text)
  rig.feishu.revokeTokens()
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ status: 400, code: 99_991_663 })
})

test.each([
  ['a wrong secret', 10_014, (rig: Rig) => ({ app_id: rig.feishu.appId, app_secret: 'wrong' })],
  ['an unknown app', 10_003, () => ({ app_id: 'cli_0', app_secret: 'x' })],
])('gives no token for %s: %i, with HTTP 200', async (_, code, toBody) => {
  await using rig = await startRig()
  const answer = await fetch(`${rig.feishu.apiRoot}/open-apis/auth/v3/tenant_access_token/internal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(toBody(rig)),
  })
  expect([answer.status, await answer.json()]).toMatchObject([200, { code }])
})

test('stops all calls and events of an app that is off', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({ types: ['im.message.receive_v1'] })
  await rig.send('text', text)
  rig.feishu.changeApp({ isEnabled: false })
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ code: 99_991_662 })
  rig.ann.say(rig.group, 'unheard')
  rig.feishu.changeApp({ isEnabled: true })
  rig.ann.say(rig.group, 'heard')
  await bot.next('im.message.receive_v1')
  expect(bot.events).toHaveLength(1)
})

test("counts a month's calls, but none for tokens, and refuses what is above them until the next month", async () => {
  await using rig = await startRig({ quotaPerMonth: 2 })
  await rig.send('text', text)
  await rig.send('text', text)
  expect(await rig.refusal(rig.send('text', text))).toMatchObject({ status: 429, code: 99_991_403 })
  expect(rig.feishu.usedThisMonth()).toBe(2)
  rig.feishu.advance(31 * 86_400_000)
  await rig.send('text', text)
  expect(rig.feishu.usedThisMonth()).toBe(1)
  expect(rig.feishu.visible(rig.group)).toHaveLength(3)
})

test('tells which permissions are granted, whether it is published, and what it hears', async () => {
  await using rig = await startRig()
  rig.feishu.deny('im:message.group_msg')
  rig.feishu.subscribe(['im.message.receive_v1', 'card.action.trigger'])
  const { scopes } = z
    .looseObject({ scopes: z.array(z.looseObject({ scope_name: z.string(), grant_status: z.number() })) })
    .parse(await rig.call('GET', '/application/v6/scopes'))
  expect(scopes).toContainEqual(expect.objectContaining({ scope_name: 'im:message.group_msg', grant_status: 2 }))
  expect(scopes).toContainEqual(expect.objectContaining({ scope_name: 'im:message', grant_status: 1 }))
  const path = `/application/v6/applications/${rig.feishu.appId}`
  expect(await rig.call('GET', `${path}?lang=zh_cn`)).toMatchObject({
    app: {
      status: 1,
      online_version_id: expect.stringMatching(/^oav_/),
      callback_info: { callback_type: 'websocket' },
    },
  })
  expect(await rig.call('GET', `${path}/app_versions?lang=zh_cn`)).toMatchObject({
    items: [{ status: 1, events: ['im.message.receive_v1'], ability: { bot: {} } }],
  })
  rig.feishu.changeApp({ isPublished: false })
  expect(await rig.call('GET', `${path}?lang=zh_cn`)).toMatchObject({ app: { online_version_id: '' } })
})

test('gives messages of groups only with the permission for them, and those of direct chats without it', async () => {
  await using rig = await startRig()
  const [inGroup, direct] = [rig.ann.say(rig.group, 'hi'), rig.ann.say(rig.ann.dm, 'hi')]
  rig.feishu.deny('im:message.group_msg')
  expect(await rig.refusal(rig.call('GET', `/im/v1/messages/${inGroup}`))).toMatchObject({ code: 230_027 })
  expect(await rig.call('GET', `/im/v1/messages/${direct}`)).toHaveProperty('items')
})

test('gives no name of people outside of the range of contacts, and takes messages to them', async () => {
  await using rig = await startRig()
  rig.feishu.setContact('Ann', false)
  const asked = rig.call('GET', `/contact/v3/users/${rig.ann.openId}`)
  expect(await rig.refusal(asked)).toMatchObject({ code: 41_050 })
  expect(await rig.send('text', { text: 'hello' }, rig.ann.openId)).toHaveProperty('message_id')
})
