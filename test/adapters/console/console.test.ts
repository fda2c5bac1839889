// The console: piped as a script would, and on a terminal as a person would, over real Redis.
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsoleChannel } from '#adapters/console/console-channel.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { createBot, type Bot } from '#test/adapters/bot.ts'
import { openConsoleRig, type ConsoleRig } from './console-rig.ts'

let rig: ConsoleRig
beforeAll(async () => void (rig = await openConsoleRig({ aof: true })))
afterAll(() => rig.stop())

type Session = {
  readonly bot: Bot
  readonly input: PassThrough
  readonly done: Promise<boolean>
  /** Everything written so far. */
  text(): string
  shows(part: string | RegExp): Promise<void>
}

function start(name: string, options: { tty?: boolean; waitMs?: number; signal?: AbortSignal } = {}): Session {
  const input = new PassThrough()
  const output = Object.assign(new PassThrough(), { isTTY: options.tty ?? false, columns: 40 })
  let text = ''
  output.on('data', (chunk) => (text += String(chunk)))
  const waitMs = options.waitMs ?? 8000
  const deps = { ...rig, name, language: 'en' as const, waitMs, commands: ['help', 'stop'] }
  const channel = createConsoleChannel(deps, { input, output })
  const running = channel.start(createIngest(rig), options.signal ?? new AbortController().signal)
  const done = running.then(() => channel.answered())
  return {
    bot: createBot(rig.kernel, `console:${name}`),
    input,
    done,
    text: () => text,
    shows: async (part) => {
      await expect.poll(() => text, { timeout: 5000, interval: 20 }).toMatch(part)
    },
  }
}

test('piped: sends each line, prints the replies in order, waits for the last one and leaves', async () => {
  const session = start('pipe')
  session.input.end('first\n\nsecond\n')
  await expect.poll(async () => (await rig.kernel.inbox('console:pipe', 10)).events.length).toBe(2)
  const events = await session.bot.hear()
  expect(events).toMatchObject([{ text: 'first', principal: 'console:owner', addressed: true }, { text: 'second' }])
  await session.bot.draft('half of it')
  // Nor does a text show the number of a choice.
  await session.bot.reply('one\n#2 two')
  expect(await session.done).toBe(true)
  expect(session.text()).toBe('one\n＃2 two\n')
})

test('piped: leaves after the time limit, and says that an answer is missing', async () => {
  const session = start('late', { waitMs: 300 })
  session.input.end('question\n')
  expect(await session.done).toBe(false)
  expect(session.text()).toBe('Leaving before the answer came; the messages are safe.\n')
})

test('does not repeat what was said before it started', async () => {
  const before = start('again')
  before.input.end('old\n')
  await before.bot.hear()
  await before.bot.reply('old reply')
  await before.done
  const after = start('again')
  after.input.end('new\n')
  await after.bot.hear()
  await after.bot.reply('new reply')
  await after.done
  expect(after.text()).toBe('new reply\n')
})

test('a choice of a card that was changed, or lost its buttons, is no longer valid', async () => {
  const session = start('changed')
  session.input.write('go\n')
  await session.bot.hear()
  await session.bot.ask('Which setting?', { depth: 'Depth' })
  await session.shows('Which setting?\n  #1 Depth\n')
  await session.bot.ask('How deep?', { deep: 'deep' }, session.bot.lastRow())
  await session.shows('How deep?\n  #2 deep\n')
  session.input.write('#1\n')
  await session.shows('That message is out of date: this choice is no longer valid.\n(For the newest card type #2.)\n')
  await session.bot.unbutton(session.bot.lastRow())
  await session.bot.reply('after that')
  await session.shows('after that')
  session.input.write('#2\n')
  await session.shows(/(this choice is no longer valid\.[^]*){2}/)
  session.input.end('/quit\n')
  expect(await session.done).toBe(true)
  expect((await rig.kernel.inbox('console:changed', 10)).events).toEqual([])
})

test('> words reply to the newest card, also to one that asks nobody by name; not to buttons below an answer', async () => {
  const session = start('newest')
  session.input.write('go\n')
  await session.bot.hear()
  await session.bot.reply('One moment.')
  await session.bot.ask('Which zone?', { paris: 'Paris' }, session.bot.lastRow())
  await session.shows('Which zone?\n  #1 Paris\n')
  const card = session.bot.lastRow()
  session.input.write("> I'm in Lyon\n")
  await expect
    .poll(async () => (await session.bot.hear()).at(-1))
    .toMatchObject({ text: "I'm in Lyon", replyTo: { messageId: card } })
  session.input.end('/quit\n')
  await session.done
})

test('numbers the buttons through the session; #n presses, a second press is told', async () => {
  const session = start('buttons')
  session.input.write('go\n')
  await session.bot.hear()
  await session.bot.ask('Sure?', { yes: 'Yes', no: 'No' })
  await session.shows('Sure?\n  #1 Yes\n  #2 No\n')
  session.input.write('#2\n#1\n#9\n')
  await session.shows('That was answered already.\nThere is no such choice.\n')
  expect(await session.bot.hear()).toMatchObject([{ kind: 'answer', choice: 'no', principal: 'console:owner' }])
  await session.bot.reply('As you wish.')
  await session.shows('As you wish.')
  session.input.end('/quit\n')
  expect(await session.done).toBe(true)
})

test('a card that asks tells its numbers and its deadline, and a line that begins with > replies to the newest one', async () => {
  const session = start('asked')
  session.input.write('go\n> a quotation\n')
  await session.bot.hear()
  await expect.poll(async () => (await session.bot.hear()).length).toBe(2)
  expect((await session.bot.hear())[1]).toMatchObject({ text: '> a quotation' })
  const options = { early: 'Early', late: 'Late' }
  await session.bot.askPeople('Which ferry?', options, { urgency: 'normal', deadlineMs: 3_600_000 })
  const row = session.bot.lastRow()
  await session.shows(/Which ferry\?\n  #1 Early\n  #2 Late\n  \(1 h left: type #1 \/ #2, or > and your words to reply/)
  session.input.write('> the early one\n')
  await expect.poll(async () => (await rig.kernel.inbox('console:asked', 10)).events.length).toBe(1)
  expect(await session.bot.hear()).toMatchObject([
    { text: 'the early one', replyTo: { messageId: row, fromBot: true } },
  ])
  await session.bot.ask('Early it is.', {}, row)
  await session.shows('Early it is.')
  session.input.write('> one more\n')
  await expect.poll(async () => (await rig.kernel.inbox('console:asked', 10)).events.length).toBe(1)
  const [event] = await session.bot.hear()
  expect(event).toMatchObject({ text: '> one more' })
  expect(event).not.toHaveProperty('replyTo')
  await session.bot.reply('Fine.')
  await session.shows('Fine.')
  await session.bot.askPeople('Pay?', { once: 'Once' }, { urgency: 'normal', deadlineMs: 3_600_000, denies: true })
  await session.shows('(1 h left: type #3; > and your words deny it, with them as the reason.)')
  session.input.end('/quit\n')
  expect(await session.done).toBe(true)
})

test('on a terminal: Ctrl-C stops a running reply, twice leaves', async () => {
  const session = start('stop', { tty: true })
  await session.shows('leaves')
  session.input.write('long work\r')
  await session.bot.hear()
  session.input.write('\u0003')
  await session.shows('Stopping')
  await expect
    .poll(async () => (await rig.kernel.inbox('console:stop', 10)).events.map(({ event }) => event))
    .toMatchObject([{ text: 'long work' }, { text: '/stop', command: { name: 'stop' } }])
  expect((await rig.kernel.pending('console:stop', 0)).stops).toEqual({ 'console:owner': 1 + 1 })
  session.input.write('\u0003')
  expect(await session.done).toBe(false)
})

test('on a terminal: Ctrl-C with nothing running asks once more', async () => {
  const session = start('calm', { tty: true })
  await session.shows('leaves')
  session.input.write('\u0003')
  await session.shows('Ctrl-C again leaves')
  session.input.write('\u0003')
  expect(await session.done).toBe(true)
  expect((await rig.kernel.inbox('console:calm', 10)).events).toEqual([])
})

test('shows what is said in another terminal of the same conversation, once', async () => {
  const [one, two] = [start('both'), start('both')]
  one.input.write('from one\n')
  await two.shows('> from one\n')
  await one.bot.hear()
  await one.bot.reply('to both')
  for (const each of [one, two]) await each.shows('to both\n')
  expect(one.text()).toBe('to both\n')
  expect(two.text()).toBe('> from one\nto both\n')
  one.input.end()
  two.input.end()
  await Promise.all([one.done, two.done])
})

test('a reply cannot steer the terminal', async () => {
  const session = start('hostile')
  session.input.end('x\n')
  await session.bot.hear()
  await session.bot.reply('\u001b]0;owned\u0007\u001b[2Jred \u202egnp\u009b31m\ttab\nline')
  await session.done
  expect(session.text()).toBe(']0;owned[2Jred gnp31m\ttab\nline\n')
})

test('leaves when told by the signal', async () => {
  const leave = new AbortController()
  const session = start('signal', { signal: leave.signal })
  session.input.write('x\n')
  await session.bot.hear()
  leave.abort()
  expect(await session.done).toBe(false)
})

test('says so while Redis is away, and sends the line once it is back', async () => {
  const session = start('away')
  session.input.write('before\n')
  await session.bot.hear()
  await rig.server.kill()
  await session.shows('Redis cannot be reached')
  session.input.write('meanwhile\n')
  await rig.server.restart()
  await session.shows('Connected again')
  expect((await session.bot.hear()).at(-1)).toMatchObject({ text: 'meanwhile' })
  await session.bot.reply('both heard')
  await session.shows('both heard')
  session.input.end()
  await session.done
}, 20_000)
