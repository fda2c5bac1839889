// Facts about events of the simulated Feishu over long connections of the real SDK: what is told, when it is told again, and to whom.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startRig, type ReceivedEvent } from './feishu-bot.ts'

const received = z.looseObject({ message: z.looseObject({ message_id: z.string(), content: z.string() }) })
const idOf = (event: ReceivedEvent): string => received.parse(event).message.message_id

const hour = 3_600_000

test('brings rich texts, pictures, files, stickers and shared cards as Feishu writes them', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const { ann, group, feishu } = rig
  const ids = [
    ann.sayPost(
      group,
      [
        [
          { tag: 'at', user_id: feishu.bot.openId },
          { tag: 'text', text: ' look' },
        ],
      ],
      { title: 'T' },
    ),
    ann.send(group, 'image'),
    ann.send(group, 'file', { name: 'a.txt' }),
    ann.send(group, 'sticker'),
    ann.sayAny(group, 'share_chat', { chat_id: group }),
    ann.sayAny(group, 'interactive', { title: 'x', elements: [[{ tag: 'text', text: 'y' }]] }),
  ]
  const messages = []
  for (const id of ids)
    messages.push(received.parse(await bot.next('im.message.receive_v1', (one) => idOf(one) === id)).message)
  expect(messages.map(({ message_type: type }) => type)).toEqual([
    'post',
    'image',
    'file',
    'sticker',
    'share_chat',
    'interactive',
  ])
  expect(JSON.parse(messages[0]?.content ?? '')).toEqual({
    title: 'T',
    content: [
      [
        { tag: 'at', user_id: '@_user_1', user_name: 'Flotilla' },
        { tag: 'text', text: ' look' },
      ],
    ],
  })
  expect(messages[0]).toMatchObject({ mentions: [{ key: '@_user_1', mentioned_type: 'bot' }] })
  expect(Object.keys(JSON.parse(messages[1]?.content ?? '{}'))).toEqual(['image_key'])
  expect(JSON.parse(messages[2]?.content ?? '{}')).toMatchObject({ file_name: 'a.txt' })
})

test('names nobody for @all, which stands in the text', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  rig.ann.say(rig.group, '@all hello')
  const { message } = received.parse(await bot.next('im.message.receive_v1'))
  expect(message).not.toHaveProperty('mentions')
  expect(message.content).toBe('{"text":"@_all hello"}')
})

test('tells of topics, in which every message answers the first one, whichever it quotes', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const root = rig.ann.say(rig.group, 'root')
  const thread = rig.ann.openThread(rig.group, 'first', { below: root })
  const plain = rig.ann.say(rig.group, 'plain', { thread })
  const quoting = rig.ann.say(rig.group, 'quoting', { thread, replyTo: plain })
  const find = async (id: string) =>
    received.parse(await bot.next('im.message.receive_v1', (one) => idOf(one) === id)).message
  expect(await find(root)).not.toHaveProperty('thread_id')
  expect(await find(plain)).toMatchObject({ thread_id: thread, root_id: root, parent_id: root })
  expect(await find(quoting)).toMatchObject({ thread_id: thread, root_id: root, parent_id: root })
})

test('tells of recalls, reactions, reading, groups, the direct chat and the menu', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const { ann, feishu, group } = rig
  const question = ann.say(group, 'x')
  ann.react(group, question, 'OK')
  ann.unreact(group, question, 'OK')
  ann.recall(group, question)
  await rig.send('text', { text: 'hi' }, ann.openId)
  ann.read(ann.dm)
  ann.enter()
  ann.menu('config')
  feishu.rename(group, 'Olga', 'Crew')
  feishu.removeBot(group, 'Olga')
  feishu.addBot(group, 'Olga')
  feishu.disband(group, 'Olga')
  const user_id = expect.objectContaining({ open_id: ann.openId })
  const expected: readonly (readonly [string, object])[] = [
    [
      'im.message.reaction.created_v1',
      { message_id: question, reaction_type: { emoji_type: 'OK' }, operator_type: 'user', user_id },
    ],
    ['im.message.reaction.deleted_v1', { message_id: question }],
    ['im.message.recalled_v1', { message_id: question, chat_id: group, recall_type: 'message_owner' }],
    ['im.message.message_read_v1', { reader: { reader_id: user_id }, message_id_list: [expect.any(String)] }],
    ['im.chat.access_event.bot_p2p_chat_entered_v1', { chat_id: ann.dm, operator_id: user_id }],
    ['application.bot.menu_v6', { event_key: 'config', operator: { operator_id: user_id } }],
    ['im.chat.updated_v1', { chat_id: group, before_change: { name: 'Team' }, after_change: { name: 'Crew' } }],
    ['im.chat.member.bot.deleted_v1', { chat_id: group }],
    ['im.chat.disbanded_v1', { chat_id: group, name: 'Crew' }],
  ]
  for (const [type, event] of expected) expect(await bot.next(type)).toMatchObject(event)
  const added = await bot.next('im.chat.member.bot.added_v1', ({ chat_id: chat }) => chat === group)
  expect(added).toMatchObject({ operator_tenant_key: expect.any(String) })
})

test('tells the bot of its own reactions, too, as an app', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const question = rig.ann.say(rig.group, 'x')
  await rig.call('POST', `/im/v1/messages/${question}/reactions`, { reaction_type: { emoji_type: 'OnIt' } })
  expect(await bot.next('im.message.reaction.created_v1')).toMatchObject({
    operator_type: 'app',
    app_id: rig.feishu.appId,
  })
})

test.each([
  ['direct messages', 'im:message.p2p_msg:readonly', ['group', 'named']],
  ['unnamed messages of groups', 'im:message.group_msg', ['direct', 'named']],
])('does not tell of %s without %s', async (_, scope, heard) => {
  await using rig = await startRig()
  rig.feishu.deny(scope)
  await using bot = await rig.connect()
  rig.ann.say(rig.ann.dm, 'direct')
  rig.ann.say(rig.group, 'group')
  rig.ann.say(rig.group, '@Flotilla named')
  rig.feishu.inject('im.message.receive_v1', { last: true })
  await bot.next('im.message.receive_v1', ({ last }) => last === true)
  const texts = bot.events.flatMap((one) => {
    const read = received.safeParse(one)
    return read.success ? [/direct|group|named/.exec(read.data.message.content)?.[0]] : []
  })
  expect(new Set(texts)).toEqual(new Set(heard))
})

test('does not tell what is not subscribed', async () => {
  await using rig = await startRig()
  rig.feishu.subscribe(['im.message.receive_v1'])
  await using bot = await rig.connect()
  const question = rig.ann.say(rig.group, 'x')
  rig.ann.react(rig.group, question, 'OK')
  rig.ann.say(rig.group, 'y')
  await bot.until(() => (bot.events.length >= 2 ? true : undefined))
  expect(bot.events.map(({ event_type: type }) => type)).toEqual(['im.message.receive_v1', 'im.message.receive_v1'])
})

test('tells of edits only where that is subscribed', async () => {
  await using rig = await startRig()
  rig.feishu.subscribe(['im.message.receive_v1'])
  await using bot = await rig.connect({ types: ['im.message.receive_v1', 'im.message.updated_v1'] })
  const id = rig.ann.say(rig.group, 'helo')
  rig.ann.edit(rig.group, id, 'unheard')
  rig.feishu.subscribe(['im.message.receive_v1', 'im.message.updated_v1'])
  rig.ann.edit(rig.group, id, 'hello')
  const edited = await bot.next('im.message.updated_v1')
  expect(edited).toMatchObject({ message: { message_id: id, content: '{"text":"hello"}' } })
  expect(bot.events).toHaveLength(2)
})

test('tries again after 15 s, 5 min, 1 h and 6 h under the same id, then gives up', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({
    handle: () => {
      throw new Error('no')
    },
  })
  rig.ann.say(rig.group, 'x')
  const attempts = () => rig.feishu.ledger.deliveries.filter(({ type }) => type === 'im.message.receive_v1')
  const tried = (n: number) => rig.feishu.until(() => (attempts().length >= n ? true : undefined))
  await tried(1)
  for (const [n, waitMs] of [15_000, 300_000, hour, 6 * hour].entries()) {
    rig.feishu.advance(waitMs - 1000)
    expect(attempts()).toHaveLength(n + 1)
    rig.feishu.advance(2000)
    await tried(n + 2)
  }
  rig.feishu.advance(48 * hour)
  expect(attempts().map(({ attempt, outcome }) => [attempt, outcome])).toEqual(
    [1, 2, 3, 4, 5].map((n) => [n, 'refused']),
  )
  expect(new Set(attempts().map(({ event }) => event)).size).toBe(1)
  const heard = bot.events.filter(({ event_type: type }) => type === 'im.message.receive_v1')
  expect(new Set(heard.map(({ event_id: id }) => id)).size).toBe(1)
})

test('tries again what nobody was there for, and what was not answered within three seconds', async () => {
  await using rig = await startRig({ answerTimeoutMs: 60, redeliverMs: [50, 50, 50, 50] })
  rig.feishu.removeBot(rig.group, 'Olga')
  rig.feishu.addBot(rig.group, 'Olga')
  rig.ann.say(rig.group, 'early')
  await rig.feishu.ledger.waitForDelivery(
    ({ type, outcome }) => type === 'im.message.receive_v1' && outcome === 'absent',
  )
  let count = 0
  await using bot = await rig.connect({
    types: ['im.message.receive_v1'],
    handle: () => {
      count += 1
      return count === 1 ? new Promise((resolve) => setTimeout(resolve, 200)) : undefined
    },
  })
  await bot.until(() => (bot.events.length >= 2 ? true : undefined))
  await rig.feishu.ledger.waitForDelivery(({ type, outcome }) => type === 'im.message.receive_v1' && outcome === 'ok')
  const outcomes = rig.feishu.ledger.deliveries
    .filter(({ type }) => type === 'im.message.receive_v1')
    .map(({ outcome }) => outcome)
  expect(outcomes).toContain('silent')
})

test('brings each event to one of several connections', async () => {
  await using rig = await startRig()
  await using first = await rig.connect()
  await using second = await rig.connect()
  for (let n = 0; n < 30; n++) rig.ann.say(rig.group, String(n))
  const told = () =>
    rig.feishu.ledger.deliveries.filter(({ type, outcome }) => type === 'im.message.receive_v1' && outcome === 'ok')
  await rig.feishu.until(() => (told().length === 30 ? true : undefined))
  const counts = [first, second].map(
    ({ events }) => events.filter(({ event_type: type }) => type === 'im.message.receive_v1').length,
  )
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(30)
  expect(Math.min(...counts)).toBeGreaterThan(0)
})

test('cuts events into frames, which the SDK puts together', async () => {
  await using rig = await startRig({ frameBytes: 200 })
  await using bot = await rig.connect()
  const id = rig.ann.say(rig.group, '字'.repeat(3000))
  expect(await bot.next('im.message.receive_v1')).toMatchObject({
    message: { message_id: id, content: JSON.stringify({ text: '字'.repeat(3000) }) },
  })
  await rig.feishu.ledger.waitForDelivery(({ type, outcome }) => type === 'im.message.receive_v1' && outcome === 'ok')
})

test('repeats an event on demand: under its id, under a new one, and with a new message id', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect({ types: ['im.message.receive_v1'] })
  rig.ann.say(rig.group, 'x')
  const first = await bot.next('im.message.receive_v1')
  rig.feishu.repeat('im.message.receive_v1')
  rig.feishu.repeatAnew('im.message.receive_v1')
  rig.feishu.repeatAnew('im.message.receive_v1', { isNewMessage: true })
  await bot.until(() => (bot.events.length === 4 ? true : undefined))
  const about = (event: ReceivedEvent) => {
    const { message, sender } = z.looseObject({ message: z.looseObject({}), sender: z.unknown() }).parse(event)
    return JSON.stringify([sender, message['chat_id'], message['create_time'], message['content']])
  }
  expect(new Set(bot.events.map((one) => about(one)))).toEqual(new Set([about(first)]))
  expect(new Set(bot.events.map(({ event_id: id }) => id)).size).toBe(3)
  expect(new Set(bot.events.map((one) => idOf(one))).size).toBe(2)
  rig.feishu.double('im.message.receive_v1', true)
  rig.ann.say(rig.group, 'y')
  await bot.until(() => (bot.events.length === 6 ? true : undefined))
})

test('lets the SDK connect anew when connections are dropped or closed', async () => {
  await using rig = await startRig()
  await using bot = await rig.connect()
  const back = (n: number) =>
    bot.until(() => (bot.states.filter((state) => state === 'reconnected').length >= n ? true : undefined))
  rig.feishu.dropConnections()
  await back(1)
  rig.feishu.closeConnections(1001)
  await back(2)
  const id = rig.ann.say(rig.group, 'x')
  await bot.next('im.message.receive_v1', (one) => 'message' in one && idOf(one) === id)
  expect(bot.states).toEqual(['ready', 'reconnecting', 'reconnected', 'reconnecting', 'reconnected'])
})

test('goes silent: the connection stays open, but neither pings nor events are answered', async () => {
  await using rig = await startRig({ answerTimeoutMs: 100, pingIntervalS: 1 })
  await using bot = await rig.connect()
  await rig.feishu.ledger.waitForConnection(({ kind }) => kind === 'ping')
  rig.feishu.silence()
  expect(rig.feishu.connected()).toEqual([])
  rig.ann.say(rig.group, 'x')
  const told = await rig.feishu.ledger.waitForDelivery(({ type }) => type === 'im.message.receive_v1')
  expect(told).toMatchObject({ outcome: 'silent', connection: 1 })
  expect(bot.client.getConnectionStatus().state).toBe('connected')
})

test.each([
  [
    'bad credentials',
    'auth failed',
    async (rig: Awaited<ReturnType<typeof startRig>>) => ({ ...rig.feishu, appSecret: 'wrong' }),
  ],
  [
    'an app that is off',
    'forbidden',
    async (rig: Awaited<ReturnType<typeof startRig>>) => {
      rig.feishu.changeApp({ isEnabled: false })
      return rig.feishu
    },
  ],
])('refuses a connection for %s, for good', async (_, words, prepare) => {
  await using rig = await startRig()
  const feishu = await prepare(rig)
  const answer = await fetch(`${rig.feishu.apiRoot}/callback/ws/endpoint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ AppID: feishu.appId, AppSecret: feishu.appSecret }),
  })
  expect(await answer.json()).toMatchObject({ code: expect.any(Number), msg: words })
  expect(answer.status).toBe(200)
})

test('takes fifty connections, each with a ticket that works once', async () => {
  await using rig = await startRig({ limits: 'off' })
  const ask = async () => {
    const answer: unknown = await rig.client.request({
      method: 'POST',
      url: '/callback/ws/endpoint',
      data: { AppID: rig.feishu.appId, AppSecret: rig.feishu.appSecret },
    })
    return z.looseObject({ code: z.number(), data: z.looseObject({ URL: z.string() }).optional() }).parse(answer)
  }
  const open = async (url: string) => {
    const socket = new WebSocket(url)
    return await new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true))
      socket.addEventListener('error', () => resolve(false))
    })
  }
  const urls = []
  for (let n = 0; n < 50; n++) urls.push((await ask()).data?.URL ?? '')
  for (const url of urls) expect(await open(url)).toBe(true)
  expect(await open(urls[0] ?? '')).toBe(false)
  expect(await ask()).toMatchObject({ code: 1_000_040_350 })
})
