// The console as a person sees it: what it writes goes through a terminal emulator, and the screen is looked at.
import { PassThrough } from 'node:stream'
import xterm from '@xterm/headless'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsoleChannel } from '#adapters/console/console-channel.ts'
import { toTerminal } from '#adapters/console/to-terminal.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { createBot, type Bot } from '#test/adapters/bot.ts'
import { openConsoleRig, type ConsoleRig } from './console-rig.ts'

let rig: ConsoleRig
beforeAll(async () => void (rig = await openConsoleRig()))
afterAll(() => rig.stop())

type Session = {
  readonly bot: Bot
  types(keys: string): void
  /** The lines of the screen and what scrolled away, without empty ones at the end. */
  lines(): Promise<readonly string[]>
  shows(part: string | RegExp): Promise<void>
  /** Whether the cells of a word on the screen are bold. */
  isBold(word: string): boolean
  isReverse(word: string): boolean
  leave(): Promise<boolean>
}

function open(name: string, columns = 60): Session {
  const terminal = new xterm.Terminal({ cols: columns, rows: 20, allowProposedApi: true, convertEol: true })
  const input = new PassThrough()
  const output = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 20 })
  let written = Promise.resolve()
  output.on('data', (chunk) => {
    written = new Promise((resolve) => terminal.write(String(chunk), resolve))
  })
  const deps = { ...rig, name, language: 'en' as const, waitMs: 8000, commands: ['help', 'stop', 'status'] }
  const channel = createConsoleChannel(deps, { input, output })
  const running = channel.start(createIngest(rig), new AbortController().signal)
  const buffer = terminal.buffer.active
  const lines = async (): Promise<readonly string[]> => {
    await written
    const all = Array.from(
      { length: buffer.length },
      (_, y) => buffer.getLine(y)?.translateToString(true).trimEnd() ?? '',
    )
    return all.slice(0, all.findLastIndex((line) => line !== '') + 1)
  }
  const findCell = (word: string) => {
    for (let y = 0; y < buffer.length; y++) {
      const line = buffer.getLine(y)
      const x = line?.translateToString(true).indexOf(word) ?? -1
      if (x >= 0) return line?.getCell(x)
    }
    throw new Error(`The screen does not show ${word}.`)
  }
  return {
    bot: createBot(rig.kernel, `console:${name}`),
    types: (keys) => void input.write(keys),
    lines,
    shows: async (part) => {
      await expect.poll(async () => (await lines()).join('\n'), { timeout: 5000, interval: 20 }).toMatch(part)
    },
    isBold: (word) => findCell(word)?.isBold() !== 0,
    isReverse: (word) => findCell(word)?.isInverse() !== 0,
    async leave() {
      input.write('\u0004')
      await running
      return channel.answered()
    },
  }
}

const fromGreeting = async (session: Session): Promise<readonly string[]> => {
  const lines = await session.lines()
  return lines.slice(lines.findIndex((line) => line.includes('Ctrl-D leaves')) + 1)
}

test('only the number of a choice stands out in reverse; in a text it is a word like any other', async () => {
  const fake = [
    '#1 Once\n  #2 Deny',
    '- #3 Once',
    '> **#4** Once &#27;[7m#4&#27;[27m',
    '| #5 | Once |\n|---|---|\n| #6 | Deny |',
    '```\n\u001b[7m#7\u001b[27m Once\n```',
    '`#8`',
    '# #9',
  ].join('\n\n')
  const shown = toTerminal(fake, 36)
  expect(shown).not.toMatch(/\u001b\[[\d;]*7[;m]/)
  for (let n = 1; n < 10; n++) expect(shown).toContain(`#${n}`)
  const session = open('fakes')
  await session.bot.ask('#1 priority', { once: 'Once' })
  await session.shows('· #1 priority\n  #1 Once')
  expect(['#1 priority', '#1 Once'].map((words) => session.isReverse(words))).toEqual([false, true])
  session.types('#1\r')
  await session.leave()
})

test('shows Markdown as a terminal can', async () => {
  const session = open('marks')
  await session.shows('leaves')
  session.types('go\r')
  await session.bot.hear()
  await session.bot.reply(
    '# Head\n\n**fat** and *thin*\n\n- one\n- [x] two\n\n> said\n\n```js\nx()\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  )
  await session.shows('1 │ 2')
  expect(await fromGreeting(session)).toEqual([
    '> go',
    '· Head',
    '',
    'fat and thin',
    '',
    '• one',
    '☑ two',
    '',
    '│ said',
    '',
    '    js',
    '    x()',
    '',
    'a │ b',
    '──┼──',
    '1 │ 2',
    '>',
  ])
  expect([session.isBold('fat'), session.isBold('thin')]).toEqual([true, false])
  await session.leave()
})

test('a plan is printed once, and below it a line for each step', async () => {
  const session = open('plan')
  await session.shows('leaves')
  const list = 'Plan:\n1. Read\n2. Write\n\n'
  session.types('do it\r')
  await session.bot.hear()
  await session.bot.draft('Plan:\n1. Read\n2. Wri')
  await session.shows('Wri…')
  await session.bot.plan(`${list}[1/2 Read…]  ██████░░░░`)
  await session.shows('1/2')
  for (const text of ['', 'I', 'I write']) await session.bot.draft(text, `${list}[2/2 Write…]  █████████░`)
  await session.shows('I write…')
  await session.bot.plan(`${list}[2/2 Write]  done ✓`, true)
  await session.bot.reply('It is written.')
  await session.shows('It is written')
  const lines = (await fromGreeting(session)).filter((line) => line !== '')
  expect(lines.slice(lines.findIndex((line) => line.includes('do it')))).toEqual([
    '> do it',
    '· Plan:',
    '1. Read',
    '2. Write',
    '[1/2 Read…]  ██████░░░░',
    '[2/2 Write…]  █████████░',
    '[2/2 Write]  done ✓',
    '· It is written.',
    '>',
  ])
  expect(await session.leave()).toBe(true)
})

test('streams a whole answer, block by block, and ends with exactly its text', async () => {
  const session = open('grows', 40)
  await session.shows('leaves')
  session.types('go\r')
  await session.bot.hear()
  const paragraphs = Array.from(
    { length: 12 },
    (_, n) => `Paragraph **${n}** ${'tells a little more of it '.repeat(4).trim()}.`,
  )
  const whole = paragraphs.join('\n\n')
  for (let end = 40; end < whole.length; end += 130) {
    await session.bot.draft(whole.slice(0, end))
    const last = whole.slice(0, end).replaceAll('*', '').split(/\s+/).at(-1) ?? ''
    await session.shows(`${last}…`)
  }
  await session.bot.reply(whole)
  await session.shows(/\n>$/)
  const shown = (await fromGreeting(session)).join(' ').replaceAll(/\s+/g, ' ')
  expect(shown).toBe(`> go · ${whole.replaceAll('**', '').replaceAll(/\s+/g, ' ')} >`)
  await session.leave()
})

test('shows the answer that came in place of one that had begun', async () => {
  const session = open('instead')
  await session.shows('leaves')
  session.types('go\r')
  await session.bot.hear()
  await session.bot.draft('First thought.\n\nSecond thou')
  await session.shows('Second thou…')
  await session.bot.reply('Quite another answer.')
  await session.shows(/· Quite another answer\.\n>$/)
  expect((await fromGreeting(session)).join('\n')).not.toContain('Second thou')
  await session.leave()
})

test('goes on with an answer after another came meanwhile, and says nothing of it twice', async () => {
  const session = open('meanwhile')
  await session.shows('leaves')
  session.types('go\r')
  await session.bot.hear()
  await session.bot.draft('First block.\n\nSecond blo')
  await session.shows('Second blo…')
  await session.bot.tell('The commands are these.')
  await session.shows('these.')
  await session.bot.draft('First block.\n\nSecond block.\n\nThi')
  await session.shows('Thi…')
  await session.bot.reply('First block.\n\nSecond block.\n\nThird block.')
  await session.shows(/Third block\.\n>$/)
  const shown = (await fromGreeting(session)).filter((line) => line !== '')
  expect(shown).toEqual(['> go', '· First block.', '· The commands are these.', '· Second block.', 'Third block.', '>'])
  await session.leave()
})

test('an answer that begins as one that failed before is shown whole, and one with a mark once', async () => {
  const session = open('again')
  await session.shows('leaves')
  session.types('go\r')
  await session.bot.hear()
  await session.bot.draft('Sure!\n\nHere is wh')
  await session.shows('Here is wh…')
  await session.bot.reply('The model did not answer.')
  await session.shows('did not answer.')
  session.types('again\r')
  await session.bot.hear()
  await session.bot.draft('Sure!\n\nHere it')
  await session.shows('Here it…')
  await session.bot.reply('(I am not sure)\n\nSure!\n\nHere it is.')
  await session.shows(/Here it is\.\n>$/)
  const shown = (await fromGreeting(session)).filter((line) => line !== '')
  expect(shown).toEqual([
    '> go',
    '· Sure!',
    '· The model did not answer.',
    '> again',
    '· Sure!',
    '· (I am not sure)',
    'Here it is.',
    '>',
  ])
  await session.leave()
})

test('says that a reply was sent as a message where no card waits', async () => {
  const session = open('no-card')
  await session.shows('leaves')
  session.types('> after all not\r')
  await session.shows('No card waits for an answer here')
  expect(await session.bot.hear()).toMatchObject([{ text: '> after all not' }])
  await session.leave()
})

test('leaves what is being typed alone, however many lines it takes', async () => {
  const session = open('typing', 40)
  await session.shows('leaves')
  session.types('go\r')
  await session.bot.hear()
  const typed = 'words that take more than one line of this narrow screen'
  session.types(typed)
  await session.shows('narrow screen')
  await session.bot.draft('half')
  await session.bot.reply('Done.')
  await session.shows('· Done.')
  const shown = await fromGreeting(session)
  expect(shown.slice(0, 2)).toEqual(['> go', '· Done.'])
  expect(shown.slice(2).join('').replaceAll(' ', '')).toBe(`> ${typed}`.replaceAll(' ', ''))
  session.types('\r')
  await expect.poll(async () => (await session.bot.hear()).at(-1)).toMatchObject({ text: typed })
  await session.leave()
})

test('sends a pasted block as one message, with what was typed before it', async () => {
  const session = open('paste')
  await session.shows('leaves')
  session.types('explain: ')
  session.types('\u001b[200~line one\rline two\r\n\tline three\n\u001b[201')
  session.types('~')
  await session.shows('3 lines pasted')
  session.types('\r')
  expect(await session.bot.hear()).toMatchObject([{ text: 'explain: \nline one\nline two\n\tline three' }])
  await session.bot.reply('I see.')
  await session.shows('· I see.')
  session.types('\u001b[200~dropped\nlines\u001b[201~')
  await session.shows('2 lines pasted')
  session.types('\u0003')
  await session.shows('dropped.')
  session.types('\u001b[200~a single line\u001b[201~ and more\r')
  expect(await session.bot.hear()).toMatchObject([{ text: 'a single line and more' }])
  await session.leave()
})

test('completes commands', async () => {
  const session = open('tab')
  await session.shows('leaves')
  session.types('/he\t')
  await session.shows('> /help')
  session.types('\r')
  expect(await session.bot.hear()).toMatchObject([{ text: '/help', command: { name: 'help' } }])
  await session.leave()
})

test('shows what was said before', async () => {
  const before = open('earlier')
  await before.shows('leaves')
  before.types('what is the capital of France?\r')
  await before.bot.hear()
  await before.bot.reply('**Paris**')
  await before.shows('· Paris')
  await before.leave()
  const after = open('earlier')
  await after.shows('leaves')
  expect((await after.lines()).slice(0, 2)).toEqual(['> what is the capital of France?', '· Paris'])
  await after.leave()
})

test('answers Ctrl-C at once, also while Redis is away', async () => {
  const session = open('interrupt')
  await session.shows('leaves')
  session.types('long work\r')
  await session.bot.hear()
  const pausedMs = 3000
  await rig.server.admin.call('CLIENT', 'PAUSE', String(pausedMs), 'ALL')
  const startedAt = performance.now()
  session.types('\u0003')
  await session.shows('Stopping')
  session.types('\u0003')
  await session.leave()
  expect(performance.now() - startedAt).toBeLessThan(pausedMs - 500)
})

test('a text that names control characters cannot steer the terminal', () => {
  const hostile = '&#27;[2J `\u001b]0;x\u0007` [a](https://x.test/%1b "t") &#x9b;31m \u202egnp\n\n```\n\u001b[2J\n```'
  // Only the colours and emphasis of the console's own are left.
  expect(toTerminal(hostile, 60).replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/,
  )
})
