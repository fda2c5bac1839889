// What every channel does, whatever its platform: the suite that an adapter passes through its real SDK. A fact that a platform cannot
// have is left out by what it claims, and the first fact checks the claims.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toFirstRow, unbutton, type OutBody } from '#shared/run/out-row.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { say as text } from '#test/rig/channel-rig.ts'
import { bot, labels, type Chat, type Seen } from '#test/rig/chats/chat.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFleet, until, type Fleet, type Platform, type Told } from './channel-world.ts'

export type Claims = {
  /** Rows are brought to people, so that a send can be lost or ambiguous. */
  readonly delivers: boolean
  /** The platform brings an event again when it is unsure. */
  readonly repeats: boolean
  readonly edit: boolean
  readonly threads: boolean
  readonly reactions: boolean
  readonly files: boolean
}

export function describeChannel(name: string, claims: Claims, open: (fleet: Fleet) => Promise<Platform>): void {
  let server: PrivateRedis
  let fleet: Fleet
  let platform: Platform
  let adapter: ChannelAdapter
  let chat: Chat
  const pressable = new Map<string, { readonly message: string; readonly data: string }>()
  beforeAll(async () => void (server = await startRedis()))
  afterAll(() => server.stop())
  beforeEach(async () => {
    fleet = await openFleet(server)
    platform = await open(fleet)
    adapter = platform.adapter
    chat = platform.chat
    pressable.clear()
  })
  afterEach(async () => {
    await fleet[Symbol.asyncDispose]()
    await platform[Symbol.asyncDispose]()
  })

  const says = async (words: string): Promise<string> => await chat.say(platform.who, words)
  /** The bot's messages, whose buttons are kept: a card that was answered loses them, while somebody else may still see them. */
  const look = async (): Promise<readonly Seen[]> => {
    const shown = (await chat.seen()).filter(({ by }) => by === bot)
    for (const { id, buttons } of shown)
      for (const { label, data } of buttons.flat()) pressable.set(label, { message: id, data })
    return shown
  }
  const forges = async (data: string, message?: string): Promise<Told> => {
    const under = message ?? (await look()).at(-1)?.id ?? ''
    return platform.toTold(await chat.forge(platform.who, under, data).notice())
  }
  /** Presses the newest button with this label, and tells what the presser is told. */
  const presses = async (label: string): Promise<Told> => {
    const button = pressable.get(label)
    if (!button) throw new Error(`No button ${label} was seen.`)
    return await forges(button.data, button.message)
  }
  const say = async (...bodies: readonly OutBody[]): Promise<readonly string[]> => {
    const rows = await fleet.queue(chat.conversation, bodies)
    await fleet.deliver(adapter, chat.conversation)
    return rows
  }
  const shows = (what: string, find: (shown: readonly Seen[]) => boolean): Promise<readonly Seen[]> =>
    until(what, async () => {
      const shown = await look()
      return find(shown) ? shown : undefined
    })
  /** A question with two buttons, shown. */
  const ask = async (owner: string = '*'): Promise<string> => {
    const id = toQuestionId(chat.conversation, randomId())
    const choices = { yes: 'Yes', no: 'No' }
    const rows = [Object.entries(choices).map(([choice, label]) => ({ id: `${id}.${choice}`, label }))]
    const claimed = await fleet.kernel.claim(chat.conversation, 'test', 60_000)
    if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
    await fleet.kernel.append(chat.conversation, claimed.epoch, {
      key: `ask-${id}`,
      entries: [],
      rows: [{ id: `row-${id}`, body: text('Shall I?', { buttons: rows }), expiresInMs: 600_000 }],
      questions: [{ v: 1, id, kind: 'redo.edited', owner, options: ['yes', 'no'], payload: 'kept' }],
      release: true,
    })
    await fleet.deliver(adapter, chat.conversation)
    await shows('the card', (shown) => labels(shown.at(-1)).length === 2)
    return `row-${id}`
  }

  describe(`${name}: what comes in`, () => {
    test('is what the platform claims', () => {
      expect(claims).toEqual({
        delivers: adapter.delivery !== undefined,
        repeats: chat.repeat !== undefined,
        edit: adapter.capabilities.edit,
        threads: adapter.capabilities.threads,
        reactions: adapter.capabilities.reactions,
        files: adapter.capabilities.files,
      })
      expect(platform.openThread !== undefined).toBe(claims.threads)
      expect(chat.react !== undefined).toBe(claims.reactions)
      expect(chat.loseAnswer !== undefined).toBe(claims.delivers)
      expect(chat.conversation.startsWith(`${adapter.channel}:`)).toBe(true)
    })

    test('a message is one event of its conversation, by its principal', async () => {
      fleet.run(adapter)
      await says('Hello, bot. Grüße 你好')
      expect(await fleet.waitForEvents(chat.conversation, 1)).toMatchObject([
        {
          kind: 'message',
          conversation: chat.conversation,
          principal: platform.person,
          text: 'Hello, bot. Grüße 你好',
          addressed: true,
          group: false,
        },
      ])
    })

    test('messages keep their order', async () => {
      fleet.run(adapter)
      // What is said before the channel is connected comes by redelivery, which keeps no order on some platforms.
      await says('message 0')
      await fleet.waitForEvents(chat.conversation, 1)
      for (let n = 1; n < 8; n++) await says(`message ${n}`)
      const events = await fleet.waitForEvents(chat.conversation, 8)
      const said = events.map((event) => event.kind === 'message' && event.text)
      expect(said).toEqual(Array.from({ length: 8 }, (_, n) => `message ${n}`))
    })

    test('a command is told apart from words', async () => {
      fleet.run(adapter)
      await says('/depth deep')
      const [event] = await fleet.waitForEvents(chat.conversation, 1)
      expect(event).toMatchObject({ command: { name: 'depth', args: 'deep' } })
    })

    test.runIf(claims.repeats)('what comes again is stored once', async () => {
      fleet.run(adapter)
      await says('once')
      await fleet.waitForEvents(chat.conversation, 1)
      await chat.repeat?.()
      await says('after')
      const events = await fleet.waitForEvents(chat.conversation, 2)
      expect(events).toMatchObject([{ text: 'once' }, { text: 'after' }])
      expect(events).toHaveLength(2)
    })

    test('is acknowledged only when it is stored, and stored once when the store is back', async () => {
      fleet.run(adapter)
      fleet.storeIsAway = true
      const saying = says('while the store was away')
      await until('a try to store it', async () => (fleet.refused() > 0 ? true : undefined))
      expect(await fleet.events(chat.conversation)).toEqual([])
      fleet.storeIsAway = false
      await saying
      await says('after')
      const events = await fleet.waitForEvents(chat.conversation, 2)
      expect(events).toMatchObject([{ text: 'while the store was away' }, { text: 'after' }])
      expect(events).toHaveLength(2)
    })

    test('ends when told, takes nothing after, and another process goes on without a loss', async () => {
      const stop = fleet.run(adapter)
      await says('first')
      await fleet.waitForEvents(chat.conversation, 1)
      await stop()
      const saying = says('between the two')
      const next = await platform.another()
      expect(await fleet.events(chat.conversation)).toHaveLength(1)
      fleet.run(next)
      await saying
      const events = await fleet.waitForEvents(chat.conversation, 2)
      expect(events).toMatchObject([{ text: 'first' }, { text: 'between the two' }])
      expect(events).toHaveLength(2)
    })
  })

  describe(`${name}: buttons`, () => {
    test('the first press wins and becomes an answer; the next is told that it came late', async () => {
      fleet.run(adapter)
      await says('go')
      await fleet.waitForEvents(chat.conversation, 1)
      await ask()
      expect(await presses('Yes')).toBe('won')
      const events = await fleet.waitForEvents(chat.conversation, 2)
      expect(events.at(-1)).toMatchObject({
        kind: 'answer',
        principal: platform.person,
        choice: 'yes',
        payload: 'kept',
      })
      expect(await presses('No')).toBe('already')
      expect(await fleet.events(chat.conversation)).toHaveLength(2)
    })

    test('forged data changes nothing, and the presser is told', async () => {
      fleet.run(adapter)
      await says('go')
      await fleet.waitForEvents(chat.conversation, 1)
      await ask()
      const foreign = `${toQuestionId(chat.conversation, randomId())}.yes`
      for (const data of [foreign, 'x.y', 'p00-../../..yes']) expect(await forges(data)).toBe('unknown')
      expect(await fleet.events(chat.conversation)).toHaveLength(1)
      expect(await presses('Yes')).toBe('won')
    })

    test('are gone, or no longer valid, once they were taken away', async () => {
      fleet.run(adapter)
      await says('go')
      await fleet.waitForEvents(chat.conversation, 1)
      const row = await ask()
      await say(unbutton(row), text('After that.'))
      const shown = await shows('what comes after', (all) => all.at(-1)?.text === 'After that.')
      expect(shown.map((one) => one.text)).toEqual(['Shall I?', 'After that.'])
      if (claims.edit) expect(shown[0]?.buttons).toEqual([])
      else expect(await presses('Yes')).toBe('unknown')
    })
  })

  describe(`${name}: what goes out`, () => {
    beforeEach(async () => {
      fleet.run(adapter)
      await says('go')
      await fleet.waitForEvents(chat.conversation, 1)
    })

    test('rows are shown once each, in order', async () => {
      await say(...Array.from({ length: 5 }, (_, n) => text(`reply ${n}`)))
      await fleet.deliver(adapter, chat.conversation)
      const shown = await shows('five replies', (all) => all.length >= 5)
      expect(shown.map((one) => one.text)).toEqual(Array.from({ length: 5 }, (_, n) => `reply ${n}`))
    })

    test('a long text comes whole, in parts that the platform takes', async () => {
      const words = Array.from({ length: 800 }, (_, n) => `word${n}`)
      const paragraphs = Array.from({ length: 20 }, (_, n) => words.slice(n * 40, n * 40 + 40).join(' '))
      await say(text(paragraphs.join('\n\n')), text('The end.'))
      const shown = await shows('the end', (all) => all.at(-1)?.text === 'The end.')
      const { maxTextUnits = Infinity } = adapter.capabilities
      const parts = shown.slice(0, -1).map((one) => one.text)
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(maxTextUnits)
      expect(parts.length > 1).toBe(maxTextUnits < paragraphs.join('\n\n').length)
      expect(parts.join('\n').split(/\s+/)).toEqual(words)
    })

    test('a reply that has a file is its caption and the file, or its text', async () => {
      const file = { name: 'notes.txt', caption: 'Here they are.', text: 'Zeile "1"\n\n第二行 🎈\n'.repeat(9000) }
      const buttons = [[{ id: `${toQuestionId(chat.conversation, randomId())}.yes`, label: 'Yes' }]]
      await say(text('They are these.', { file, buttons }), text('After it.'))
      const shown = await shows('what comes after', (all) => all.at(-1)?.text === 'After it.')
      expect(shown).toMatchObject([
        claims.files
          ? { text: file.caption, files: [{ name: file.name, text: file.text }], previews: false }
          : { text: 'They are these.', files: [] },
        { text: 'After it.', files: [] },
      ])
      expect(labels(shown[0])).toEqual(['Yes'])
    })

    test('a row that replaces another is shown in its place, or after it', async () => {
      const [row = ''] = await say(text('Now on page one.'))
      await shows('the first', (all) => all.length === 1)
      await say(text('Now on page two.', { replaces: row }), text('Done.'))
      const shown = await shows('the last', (all) => all.at(-1)?.text === 'Done.')
      expect(shown.map((one) => one.text)).toEqual(
        claims.edit ? ['Now on page two.', 'Done.'] : ['Now on page one.', 'Now on page two.', 'Done.'],
      )
    })

    test('the text of a model pings nobody, opens no preview and hides no address', async () => {
      const hostile = [
        '@everyone @here <@1> <@&2> <!channel> [your bank](https://evil.test/x?k=canary)',
        '![picture](https://evil.test/pixel.png?k=canary) <script>alert(1)</script> <b>not bold',
        '```\nunclosed *code* _here',
      ].join('\n\n')
      await say(text(hostile), text('Still here.'))
      const shown = await shows('what comes after', (all) => all.at(-1)?.text === 'Still here.')
      expect(shown.flatMap((one) => one.pings)).toEqual([])
      expect(shown.some((one) => one.previews)).toBe(false)
      const seen = shown.map((one) => one.text).join('\n')
      expect(seen).toContain('evil.test')
      expect(seen).toContain('<script>')
    })

    test('a reply is shown while it grows, and ends as one message', async () => {
      const turn = 'turn-1'
      const grows = `How it begins: ${'word after word it becomes longer. '.repeat(5)}`
      await fleet.kernel.saveDraft(chat.conversation, {
        turn,
        text: grows,
        language: 'en',
        principal: platform.person,
      })
      const delivering = fleet.deliver(adapter, chat.conversation)
      const seen = await until('the growing reply', async () => await chat.growing())
      expect(grows).toContain(seen.replace(/\W*$/, '').slice(-20))
      await fleet.queue(chat.conversation, [text('The whole answer.', { replaces: toFirstRow(turn) })])
      await fleet.endDraft()
      await delivering
      const shown = await shows('the answer', (all) => all.at(-1)?.text === 'The whole answer.')
      expect(shown.map((one) => one.text)).toEqual(['The whole answer.'])
      expect(shown[0]?.buttons).toEqual([])
    })

    test('a reaction is shown where there are any, and holds up nothing', async () => {
      const messageId = await says('thanks')
      await fleet.waitForEvents(chat.conversation, 2)
      await say({ v: 1, kind: 'react', messageId, emoji: '👍', answers: [], language: 'en' }, text('After it.'))
      const shown = await shows('what comes after', (all) => all.length > 0)
      expect(shown.map((one) => one.text)).toEqual(['After it.'])
      const thanks = (await chat.seen()).find(({ id }) => id === messageId)
      if (claims.reactions) expect(thanks?.reaction).toBe('👍')
    })

    test.runIf(claims.delivers)(
      'a message whose answer was lost is shown once, and told where that is unsure',
      async () => {
        chat.loseAnswer?.()
        await say(text('Was it said?'))
        await fleet.hurryNotices()
        await fleet.deliver(adapter, chat.conversation)
        const shown = await shows('the message', (all) => all.length > 0)
        expect(shown[0]?.text).toBe('Was it said?')
        const told = shown.slice(1)
        if (adapter.delivery?.idempotentForMs) expect(told).toEqual([])
        else {
          expect(told).toMatchObject([{ text: 'A message of mine may not have arrived.' }])
          expect(labels(told[0])).toEqual(['Show again'])
        }
      },
    )

    test.runIf(claims.threads)('a thread is a conversation of its own, answered in it', async () => {
      const thread = platform.openThread?.()
      if (!thread) throw new Error('There is no thread.')
      await thread.say(platform.who, `${thread.mention} in the thread`)
      // Where a thread begins with words, these come before.
      const said = await until('what was said there', async () =>
        (await fleet.events(thread.conversation)).find((one) => one.kind === 'message' && one.text === 'in the thread'),
      )
      expect(said).toMatchObject({ group: true, addressed: true, principal: platform.person })
      await fleet.queue(thread.conversation, [text('answered here')])
      await fleet.deliver(adapter, thread.conversation)
      const shown = (await thread.seen()).filter(({ by }) => by === bot)
      expect(shown.map((one) => one.text)).toEqual(['answered here'])
      expect(await look()).toEqual([])
    })
  })
}
