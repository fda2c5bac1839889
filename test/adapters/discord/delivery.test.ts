// Facts about what goes out: once however often it is tried, in parts that fit, pinging nobody, and every refusal named.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toNonce } from '#adapters/discord/deliver.ts'
import { unbutton } from '#shared/run/out-row.ts'
import { say, toDelivery, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { openDiscordRig, type DiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const here = (rig: DiscordRig): string => `discord:${rig.guild.channel}`
const shown = (rig: DiscordRig): string[] => rig.discord.visible(rig.guild.channel).map(({ text }) => text)
/** How a row ended, and why. */
const ending = async (rig: DiscordRig, row = 'row-1-0'): Promise<readonly [string, string]> => {
  const found = (await readStoredRows(server.admin, here(rig))).find(({ id }) => id === row)
  return [found?.fields['s'] ?? '', found?.fields['why'] ?? '']
}

test('sends text with its buttons, as a reply, without a preview and pinging nobody', async () => {
  await using rig = await openDiscordRig(server)
  const ada = rig.discord.person('Ada')
  const question = ada.say(rig.guild.channel, 'who?')
  const buttons = [[{ id: 'p00-aaaaaaaaaaaaaaaaaaaaaa.yes', label: 'Yes' }]]
  const text = `**You**, @everyone and <@${ada.id}>: [read](https://example.com/x)`
  await rig.queue(here(rig), [say(text, { buttons, replyTo: question })])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel).at(-1)).toMatchObject({
    from: 'bot',
    replyTo: question,
    buttons: [[{ label: 'Yes', customId: 'p00-aaaaaaaaaaaaaaaaaaaaaa.yes' }]],
    pings: { everyone: false, users: [], roles: [] },
    hasLinkPreview: false,
  })
  expect(shown(rig).at(-1)).toContain('read (<https://example.com/x>)')
})

test('sends although the message it replies to is gone', async () => {
  await using rig = await openDiscordRig(server)
  const ada = rig.discord.person('Ada')
  const question = ada.say(rig.guild.channel, 'who?')
  ada.delete(rig.guild.channel, question)
  await rig.queue(here(rig), [say('me', { replyTo: question })])
  await rig.deliver(here(rig))
  expect(shown(rig)).toEqual(['me'])
})

test('answers beside a message that it may not reply to', async () => {
  await using rig = await openDiscordRig(server)
  const question = rig.discord.person('Ada').say(rig.guild.channel, 'who?')
  rig.discord.deny({ channel: rig.guild.channel, permissions: ['ReadMessageHistory'] })
  await rig.queue(here(rig), [say('me', { replyTo: question })])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel).map(({ text, replyTo }) => ({ text, replyTo }))).toEqual([
    { text: 'who?', replyTo: undefined },
    { text: 'me', replyTo: undefined },
  ])
})

test('writes into threads and direct messages', async () => {
  await using rig = await openDiscordRig(server)
  const ada = rig.discord.person('Ada')
  const thread = ada.openThread(rig.guild.channel, 'Plans')
  await rig.queue(`${here(rig)}:${thread}`, [say('in the thread')])
  await rig.deliver(`${here(rig)}:${thread}`)
  await rig.queue(`discord:${ada.dm}`, [say('between us')])
  await rig.deliver(`discord:${ada.dm}`)
  expect(rig.discord.visible(thread)).toMatchObject([{ text: 'in the thread' }])
  expect(rig.discord.visible(ada.dm)).toMatchObject([{ text: 'between us' }])
})

test('splits a long text into messages that fit, each with its code closed', async () => {
  await using rig = await openDiscordRig(server)
  const code = Array.from({ length: 200 }, (_, i) => `const line${i} = ${i}`).join('\n')
  await rig.queue(here(rig), [say(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat is all.`)])
  await rig.deliver(here(rig))
  const parts = shown(rig)
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(2000)
    expect((part.match(/```/g) ?? []).length % 2).toBe(0)
  }
  expect(parts.join('\n')).toContain('line199')
})

test('takes the buttons off an earlier message', async () => {
  await using rig = await openDiscordRig(server)
  const buttons = [[{ id: 'p00-aaaaaaaaaaaaaaaaaaaaaa.redo', label: 'Redo' }]]
  await rig.queue(here(rig), [say('asked', { buttons })])
  await rig.deliver(here(rig))
  await rig.queue(here(rig), [unbutton('row-1-0'), say('after')])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel)).toMatchObject([{ text: 'asked', buttons: [] }, { text: 'after' }])
})

test('of more rows than Discord has, no button is lost', async () => {
  await using rig = await openDiscordRig(server)
  const labels = Array.from({ length: 12 }, (_, at) => `Step ${at}`)
  const buttons = labels.map((label, at) => [{ id: `p00-aaaaaaaaaaaaaaaaaaaaaa.${at}`, label }])
  await rig.queue(here(rig), [say('where to?', { buttons })])
  await rig.deliver(here(rig))
  const [asked] = rig.discord.visible(rig.guild.channel)
  expect(asked?.buttons.map((row) => row.length)).toEqual([5, 5, 2])
  expect(asked?.buttons.flat().map(({ label }) => label)).toEqual(labels)
})

test('buttons of a message that is gone are no trouble', async () => {
  await using rig = await openDiscordRig(server)
  await rig.queue(here(rig), [say('asked')])
  await rig.deliver(here(rig))
  const gone = { kind: 'error', status: 404, code: 10_008, message: 'Unknown Message' } as const
  rig.discord.fault({ when: { route: 'editMessage' }, fault: gone })
  await rig.queue(here(rig), [unbutton('row-1-0'), unbutton('row-9-9'), say('at last')])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel).at(-1)?.text).toBe('at last')
})

test('edits the message that a row replaces, and sends anew when it is gone', async () => {
  await using rig = await openDiscordRig(server)
  await rig.queue(here(rig), [say('draft')])
  await rig.deliver(here(rig))
  await rig.queue(here(rig), [say('final', { replaces: 'row-1-0' })])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel)).toMatchObject([{ text: 'final', edits: 1 }])
  const gone = { kind: 'error', status: 404, code: 10_008, message: 'Unknown Message' } as const
  rig.discord.fault({ when: { route: 'editMessage' }, fault: gone })
  await rig.queue(here(rig), [say('again', { replaces: 'row-1-0' })])
  await rig.deliver(here(rig))
  expect(shown(rig)).toEqual(['final', 'again'])
})

test('a plan whose message is gone is not sent anew', async () => {
  await using rig = await openDiscordRig(server)
  await rig.queue(here(rig), [say('plan', { plan: true })])
  await rig.deliver(here(rig))
  await rig.queue(here(rig), [say('plan 2/2', { plan: true, replaces: 'row-1-0' })])
  await rig.deliver(here(rig))
  expect(shown(rig)).toEqual(['plan 2/2'])
  const gone = { kind: 'error', status: 404, code: 10_008, message: 'Unknown Message' } as const
  rig.discord.fault({ when: { route: 'editMessage' }, fault: gone })
  await rig.queue(here(rig), [say('plan done', { plan: true, replaces: 'row-1-0' }), say('answer')])
  await rig.deliver(here(rig))
  expect(shown(rig)).toEqual(['plan 2/2', 'answer'])
})

test('reacts, and nobody need be told when it cannot', async () => {
  await using rig = await openDiscordRig(server)
  const message = rig.discord.person('Ada').say(rig.guild.channel, 'thanks')
  await rig.queue(here(rig), [{ v: 1, kind: 'react', messageId: message, emoji: '👍', answers: [], language: 'en' }])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel)[0]?.reactions).toEqual({ '👍': ['flotilla_test_bot'] })
})

test.each([
  ['whose answer was lost', { kind: 'reset', accepted: true } as const],
  ['that never arrived', { kind: 'reset', accepted: false } as const],
  ['answered by a proxy', { kind: 'bad-gateway', accepted: true } as const],
])('a request %s is made again under its nonce, and shown once', async (_, fault) => {
  await using rig = await openDiscordRig(server)
  rig.discord.fault({ when: { route: 'createMessage' }, times: 1, fault })
  await rig.queue(here(rig), [say('once'), say('then')])
  await rig.deliver(here(rig))
  await new Promise((resolve) => setTimeout(resolve, 1600))
  await rig.deliver(here(rig))
  expect(shown(rig)).toEqual(['once', 'then'])
  expect(rig.discord.visible(rig.guild.channel)[0]?.nonce).toBe(
    toNonce(here(rig), { id: 'row-1-0', body: say('once') }),
  )
  expect((await ending(rig))[0]).toBe('sent')
})

test('what else may have arrived or not is repeated too, and shown once', async () => {
  await using rig = await openDiscordRig(server, { channel: { sendTimeoutMs: 500 } })
  const faults = [
    { kind: 'error', status: 500, message: 'Internal Server Error', accepted: true },
    { kind: 'error', status: 503, message: 'Service Unavailable', accepted: false },
    { kind: 'no-answer', accepted: true },
    { kind: 'no-answer', accepted: false },
  ] as const
  const channels = faults.map((fault, i) => {
    const channel = rig.discord.addChannel({ guild: rig.guild.id, name: `fault-${i}` })
    rig.discord.fault({ when: { route: 'createMessage', channel }, times: 1, fault })
    return channel
  })
  for (const channel of channels) await rig.queue(`discord:${channel}`, [say('once')])
  const states = async () => (await readStoredRows(server.admin, 'discord:')).map(({ fields }) => fields['s'])
  await until(async () => {
    await Promise.all(channels.map((channel) => rig.deliver(`discord:${channel}`)))
    return (await states()).every((state) => state === 'sent') ? true : undefined
  })
  for (const channel of channels) expect(rig.discord.visible(channel).map(({ text }) => text)).toEqual(['once'])
  expect(rig.discord.ledger.of('createMessage')).toHaveLength(2 * faults.length)
})

test.each([
  ['is refused for a while', { kind: 'rate-limit', retryAfterS: 0.2, scope: 'shared' } as const],
  ['arrives, which nobody learns', { kind: 'reset', accepted: true } as const],
])('goes on with the part that %s, and repeats none before it', async (_, fault) => {
  await using rig = await openDiscordRig(server)
  rig.discord.fault({ when: { text: 'part-two' }, times: 1, fault })
  await rig.queue(here(rig), [
    say(['part-one', 'part-two', 'part-three'].map((n) => `${n} ${'a'.repeat(1500)}`).join('\n\n')),
  ])
  await until(async () => {
    await rig.deliver(here(rig))
    return shown(rig).length === 3 ? true : undefined
  })
  await rig.deliver(here(rig))
  expect(shown(rig).map((text) => text.split(' ', 1)[0])).toEqual(['part-one', 'part-two', 'part-three'])
  const calls = rig.discord.ledger.of('createMessage').map(({ body }) => /part-\w+/.exec(JSON.stringify(body))?.[0])
  expect(calls).toEqual(['part-one', 'part-two', 'part-two', 'part-three'])
})

test('waits as long as Discord asks, in that channel alone, and sends nothing meanwhile', async () => {
  await using rig = await openDiscordRig(server)
  const other = rig.guild.channels['random'] ?? ''
  const fault = { kind: 'rate-limit', retryAfterS: 1 } as const
  rig.discord.fault({ when: { channel: rig.guild.channel }, times: 1, fault })
  await rig.queue(here(rig), [say('slow')])
  await rig.queue(`discord:${other}`, [say('quick')])
  await rig.deliver(here(rig))
  await rig.deliver(here(rig))
  await rig.deliver(`discord:${other}`)
  expect(rig.discord.visible(other)).toMatchObject([{ text: 'quick' }])
  expect(shown(rig)).toEqual([])
  // And then half as fast as else.
  await until(async () => {
    await rig.deliver(here(rig))
    return shown(rig).length > 0 ? true : undefined
  })
  expect(rig.discord.ledger.duringWait()).toEqual([])
})

test.each([
  [
    'may not write',
    (rig: DiscordRig) => rig.discord.deny({ channel: rig.guild.channel, permissions: ['SendMessages'] }),
    'Send Messages',
  ],
  [
    'may not see it',
    (rig: DiscordRig) => rig.discord.deny({ channel: rig.guild.channel, permissions: ['ViewChannel'] }),
    'View Channel',
  ],
  ['finds the channel gone', (rig: DiscordRig) => rig.discord.deleteChannel(rig.guild.channel), 'gone'],
  ['was removed', (rig: DiscordRig) => rig.discord.removeBot(rig.guild.id), 'View Channel'],
])('a bot that %s gives up with the reason', async (_, act, reason) => {
  await using rig = await openDiscordRig(server)
  act(rig)
  await rig.queue(here(rig), [say('hello')])
  await rig.deliver(here(rig))
  const [state, why] = await ending(rig)
  expect(state).toBe('failed')
  expect(why).toContain(reason)
  expect(rig.said.join()).toContain(reason)
  expect(rig.said.join()).not.toContain('hello')
})

test('tells a person about a message that may be missing, with a button to show it again', async () => {
  await using rig = await openDiscordRig(server)
  await rig.queue(here(rig), [
    {
      v: 1,
      kind: 'notice',
      about: 'x',
      outcome: 'failed',
      question: 'p00-aaaaaaaaaaaaaaaaaaaaaa',
      answers: [],
      language: 'zh',
    },
  ])
  await rig.deliver(here(rig))
  expect(rig.discord.visible(rig.guild.channel)).toMatchObject([
    {
      text: '我有一条消息没能发出去。',
      buttons: [[{ label: '再次显示', customId: 'p00-aaaaaaaaaaaaaaaaaaaaaa.show' }]],
    },
  ])
})

test("counts what it sends to the bot's own budget", async () => {
  await using rig = await openDiscordRig(server)
  expect(toDelivery(rig.channel).limits(here(rig)).bot).toBe(`discord:${rig.discord.bot.id}`)
})

test('shows that it is typing', async () => {
  await using rig = await openDiscordRig(server)
  const signal = new AbortController().signal
  await toDelivery(rig.channel).showDraft(
    { conversation: here(rig), standing: undefined },
    { turn: 't', text: '' },
    signal,
  )
  expect(rig.discord.typing(rig.guild.channel)).toBeDefined()
  expect(rig.discord.ledger.of('triggerTyping')).toHaveLength(1)
})

test('what is refused for its form comes as bare words, sent or edited, with its buttons', async () => {
  await using rig = await openDiscordRig(server)
  const refused = { kind: 'error', status: 400, code: 50_035, message: 'Invalid Form Body' } as const
  const buttons = [[{ id: 'p00-aaaaaaaaaaaaaaaaaaaaaa.redo', label: 'Redo' }]]
  rig.discord.fault({ when: { route: 'createMessage' }, times: 1, fault: refused })
  await rig.queue(here(rig), [say('**one**', { buttons })])
  await rig.deliver(here(rig))
  const seen = () => rig.discord.visible(rig.guild.channel).map(({ text, buttons: [row = []] }) => [text, row.length])
  expect(seen()).toEqual([['\\*\\*one\\*\\*', 1]])
  rig.discord.fault({ when: { route: 'editMessage' }, times: 1, fault: refused })
  await rig.queue(here(rig), [say('**two**', { buttons, replaces: 'row-1-0' })])
  await rig.deliver(here(rig))
  expect(seen()).toEqual([['\\*\\*two\\*\\*', 1]])
})

test('an answer that takes in more than the one of the same name before it has another nonce', () => {
  const nonce = (answers: readonly string[]): string =>
    toNonce('discord:1', { id: 't1-x-end', body: { ...say('so'), answers: [...answers] } })
  expect(nonce(['dc:1', 'dc:2'])).not.toBe(nonce(['dc:1']))
  expect(nonce(['dc:1', 'dc:2'])).toBe(nonce(['dc:1', 'dc:2']))
})
