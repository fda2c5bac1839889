// Facts about messages in the Discord simulator, seen through the real REST client.
import { expect, test } from 'vitest'
import { toTimeMs } from '#test/simulators/discord/snowflake.ts'
import { refusalOf, row, startRig } from './discord-bot.ts'

test('shows a sent message, edits it and deletes it', async () => {
  await using rig = await startRig()
  const { id } = await rig.send({ content: 'one' })
  expect(Math.abs(toTimeMs(id) - Date.now())).toBeLessThan(5000)
  const edited = await rig.edit(id, { content: 'two' })
  expect(edited.edited_timestamp).not.toBeNull()
  expect(rig.discord.visible(rig.guild.channel)).toMatchObject([
    { id, from: 'bot', text: 'two', edits: 1, texts: ['one', 'two'] },
  ])
  await rig.rest.delete(`/channels/${rig.guild.channel}/messages/${id}`)
  expect(rig.discord.visible(rig.guild.channel)).toEqual([])
  expect(await refusalOf(rig.edit(id, { content: 'three' }))).toMatchObject({ status: 404, code: 10_008 })
})

const tooLong = { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' }] }
const six = ['a', 'b', 'c', 'd', 'e', 'f']
const fieldOf = (field: string, code: string) => ({
  components: { 0: { components: { 0: { [field]: { _errors: [expect.objectContaining({ code })] } } } } },
})

test.each([
  ['a text of 2001 characters', { content: 'x'.repeat(2001) }, { content: tooLong }],
  [
    'six buttons in a row',
    { content: 'x', components: [row(...six)] },
    { components: { 0: { components: { _errors: [expect.objectContaining({ code: 'BASE_TYPE_BAD_LENGTH' })] } } } },
  ],
  [
    'six rows',
    { content: 'x', components: six.map((id) => row(id)) },
    { components: { _errors: [expect.objectContaining({ code: 'BASE_TYPE_BAD_LENGTH' })] } },
  ],
  [
    'a custom id of 101 characters',
    { content: 'x', components: [row('y'.repeat(101))] },
    fieldOf('custom_id', 'BASE_TYPE_MAX_LENGTH'),
  ],
  [
    'the same custom id twice',
    { content: 'x', components: [row('a'), row('a')] },
    { components: { 1: { components: { 0: { custom_id: expect.anything() } } } } },
  ],
  [
    'a label of 81 characters',
    {
      content: 'x',
      components: [{ type: 1, components: [{ type: 2, style: 1, label: 'l'.repeat(81), custom_id: 'a' }] }],
    },
    fieldOf('label', 'BASE_TYPE_MAX_LENGTH'),
  ],
  [
    'a button without custom id',
    { content: 'x', components: [{ type: 1, components: [{ type: 2, style: 1, label: 'l' }] }] },
    fieldOf('custom_id', 'BASE_TYPE_REQUIRED'),
  ],
  ['a nonce of 26 characters', { content: 'x', nonce: 'n'.repeat(26) }, { nonce: expect.anything() }],
  [
    'a reply to a message that is not there',
    { content: 'x', message_reference: { message_id: '1' } },
    { message_reference: { _errors: [{ code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }] } },
  ],
])('refuses %s with 50035', async (_what, body, errors) => {
  await using rig = await startRig()
  expect(await refusalOf(rig.send(body))).toEqual({ status: 400, code: 50_035, errors })
  expect(rig.discord.visible(rig.guild.channel)).toEqual([])
})

test('refuses an empty message, a wrong token, and unknown and hidden channels', async () => {
  await using rig = await startRig()
  expect(await refusalOf(rig.send({ content: ' ' }))).toMatchObject({ status: 400, code: 50_006 })
  expect(await refusalOf(rig.send({ content: 'x' }, '1'))).toMatchObject({ status: 404, code: 10_003 })
  rig.discord.deny({ channel: rig.guild.channel, permissions: ['SendMessages'] })
  expect(await refusalOf(rig.send({ content: 'x' }))).toMatchObject({ status: 403, code: 50_013 })
  rig.discord.deny({ channel: rig.guild.channel, permissions: ['ViewChannel'] })
  expect(await refusalOf(rig.send({ content: 'x' }))).toMatchObject({ status: 403, code: 50_001 })
  rig.rest.setToken('wrong')
  expect(await refusalOf(rig.send({ content: 'x' }))).toMatchObject({ status: 401 })
  expect(rig.discord.ledger.invalidRequests()).toBe(3)
})

test('gives the same message back for the same enforced nonce', async () => {
  await using rig = await startRig()
  const body = { content: 'once', nonce: 'n1', enforce_nonce: true }
  const first = await rig.send(body)
  expect((await rig.send(body)).id).toBe(first.id)
  expect((await rig.send({ content: 'again', nonce: 'n1' })).id).not.toBe(first.id)
  expect(rig.discord.visible(rig.guild.channel)).toHaveLength(2)
})

test('pings whom the text names unless allowed_mentions forbids it', async () => {
  await using rig = await startRig()
  const ann = rig.discord.person('Ann')
  const content = `@everyone <@${ann.id}> \`@here\``
  await rig.send({ content })
  await rig.send({ content, allowed_mentions: { parse: [] } })
  await rig.send({ content: '`@everyone`' })
  const question = ann.say(rig.guild.channel, 'hm?')
  await rig.send({ content: 'hm', message_reference: { message_id: question }, allowed_mentions: { parse: [] } })
  const pings = rig.discord.visible(rig.guild.channel).map((one) => one.pings)
  const none = { everyone: false, users: [], roles: [] }
  expect(pings).toEqual([{ everyone: true, users: [ann.id], roles: [] }, none, none, none, none])
})

test('lists messages after an id, newest first, and hides their content without the intent', async () => {
  await using rig = await startRig()
  const ann = rig.discord.person('Ann')
  const first = ann.say(rig.guild.channel, 'a')
  for (const text of ['b', 'c']) ann.say(rig.guild.channel, text)
  const list = async () =>
    rig.rest.get(`/channels/${rig.guild.channel}/messages`, { query: new URLSearchParams({ after: first }) })
  expect(await list()).toMatchObject([{ content: 'c' }, { content: 'b' }])
  rig.discord.grantIntents([])
  expect(await list()).toMatchObject([{ content: '' }, { content: '' }])
  rig.discord.deny({ channel: rig.guild.channel, permissions: ['ReadMessageHistory'] })
  expect(await list()).toEqual([])
})

test('takes files, serves them, and refuses those above 10 MiB', async () => {
  await using rig = await startRig()
  const upload = (data: Buffer) =>
    rig.rest.post(`/channels/${rig.guild.channel}/messages`, {
      body: { content: 'see' },
      files: [{ name: 'a.txt', data }],
    })
  await upload(Buffer.from('hello'))
  expect(rig.discord.visible(rig.guild.channel)).toMatchObject([{ text: 'see', files: ['a.txt'] }])
  expect(await refusalOf(upload(Buffer.alloc(10 * 1024 * 1024 + 1)))).toMatchObject({ status: 413, code: 40_005 })
  const id = rig.discord.person('Ann').say(rig.guild.channel, 'mine', { files: [{ name: 'b.txt', content: 'text' }] })
  const message = await rig.rest.get(`/channels/${rig.guild.channel}/messages/${id}`)
  expect(message).toMatchObject({ attachments: [{ filename: 'b.txt', size: 4 }] })
  const url = /"url":"([^"]+)"/.exec(JSON.stringify(message))?.[1] ?? ''
  expect(await (await fetch(url)).text()).toBe('text')
})

test('starts a thread with the id of its message, once', async () => {
  await using rig = await startRig()
  const { id } = await rig.send({ content: 'topic' })
  const start = () => rig.rest.post(`/channels/${rig.guild.channel}/messages/${id}/threads`, { body: { name: 't' } })
  expect(await start()).toMatchObject({ id, type: 11, parent_id: rig.guild.channel })
  expect(await refusalOf(start())).toMatchObject({ status: 400, code: 160_004 })
  expect(await rig.rest.get(`/guilds/${rig.guild.id}/threads/active`)).toMatchObject({ threads: [{ id }] })
  await rig.send({ content: 'inside' }, id)
  expect(rig.discord.visible(id)).toMatchObject([{ text: 'inside' }])
  rig.discord.archiveThread(id, true)
  expect(await refusalOf(rig.send({ content: 'late' }, id))).toMatchObject({ code: 50_083 })
})

test('opens direct channels, and refuses closed ones', async () => {
  await using rig = await startRig()
  const ann = rig.discord.person('Ann')
  const open = () => rig.rest.post('/users/@me/channels', { body: { recipient_id: ann.id } })
  expect(await open()).toMatchObject({ id: ann.dm, type: 1 })
  await rig.send({ content: 'hi' }, ann.dm)
  rig.discord.setDmsOpen('Ann', false)
  expect(await refusalOf(rig.send({ content: 'hi' }, ann.dm))).toMatchObject({ status: 403, code: 50_007 })
})

test('registers commands, keeps their ids and checks their names', async () => {
  await using rig = await startRig()
  const path = `/applications/${rig.discord.applicationId}/commands` as const
  const put = (name: string) => rig.rest.put(path, { body: [{ name, description: 'Asks' }] })
  await put('ask')
  const id = rig.discord.commands()[0]?.id
  await put('ask')
  expect(await rig.rest.get(path)).toMatchObject([{ id, name: 'ask', type: 1 }])
  expect(await refusalOf(put('Ask!'))).toMatchObject({ code: 50_035 })
})

test('notes typing until the bot writes, and reactions of the bot', async () => {
  await using rig = await startRig({ limits: 'off' })
  await rig.rest.post(`/channels/${rig.guild.channel}/typing`)
  expect(rig.discord.typing(rig.guild.channel)).toBeDefined()
  const { id } = await rig.send({ content: 'x' })
  expect(rig.discord.typing(rig.guild.channel)).toBeUndefined()
  const reaction = (emoji: string) =>
    rig.rest.put(`/channels/${rig.guild.channel}/messages/${id}/reactions/${encodeURIComponent(emoji)}/@me`)
  await reaction('👍')
  expect(rig.discord.visible(rig.guild.channel)[0]?.reactions).toEqual({ '👍': ['flotilla_test_bot'] })
  expect(await refusalOf(reaction('nonsense'))).toMatchObject({ status: 400, code: 10_014 })
})

test('fetches previews of addresses, unless they are in brackets or code, or embeds are suppressed', async () => {
  await using rig = await startRig()
  const content =
    'https://a.example/x <https://b.example/> `https://c.example/` [d](https://d.example/) [e](<https://e.example/>)'
  const { id } = await rig.send({ content })
  const previews = () => rig.discord.visible(rig.guild.channel)[0]?.previews
  expect(previews()).toEqual(['https://a.example/x', 'https://d.example/'])
  await rig.edit(id, { flags: 4 })
  expect(previews()).toEqual([])
  await rig.edit(id, { content: `${content}!` })
  expect(previews()).toEqual([])
})
