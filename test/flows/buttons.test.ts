// The fleet's own buttons, over real Redis and real queues: menus, stop, shorter and longer; who may press what, and what becomes of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ResolveResult } from '#queues/questions/questions.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import { createStop } from '#queues/workers/create-stop.ts'
import { startFleet, until, type Fleet, type Said } from '#test/rig/fleet.ts'
import { wonPress } from '#test/rig/events.ts'

const shortAnswer = 'A short answer, but not one of a word or two. '.repeat(3).trim()

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*', FLOTILLA_OWNERS: 'web:boss' } })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
})
beforeEach(() => {
  fleet.model.clearScript()
  fleet.model.ledger.clear()
})

const ann = 'web:ann'
const long = 'This is a sentence of the answer. '.repeat(15).trim()

const labels = (said: Said): string[][] => (said.buttons ?? []).map((row) => row.map(({ label }) => label))
const find = (said: Said, label: string): string =>
  said.buttons?.flat().find((button) => button.label.replace('✓ ', '') === label)?.id ?? `no button ${label}`

type Press = { readonly by?: string; readonly name?: string; readonly senderIsAdmin?: boolean; readonly id?: string }

/** Presses as a channel does. The event's id is what the reply to it names. */
async function press(
  conversation: string,
  button: string,
  how: Press = {},
): Promise<{ result: ResolveResult; id: string }> {
  const [question = '', choice = ''] = button.split('.')
  const { by = ann, id = `press-${randomUUID()}`, ...more } = how
  const event = wonPress({ id, conversation, principal: by, at: Date.now(), question, choice, ...more })
  const result = await fleet.runtime.ingestKernel.resolve({ question, actor: by, chat: conversation, choice, event })
  if (result.kind === 'WON') await fleet.runtime.hints.inbound(conversation)
  return { result, id }
}

/** Presses, wins, and waits for what comes of it. */
async function choose(conversation: string, button: string, how?: Press): Promise<Said> {
  const { result, id } = await press(conversation, button, how)
  expect(result.kind).toBe('WON')
  return await fleet.replyTo(id, conversation)
}

async function ask(conversation: string, text: string, slash?: string): Promise<Said> {
  return await fleet.ask(text, { conversation, principal: ann, ...(slash === undefined ? {} : { slash }) })
}

/** Ids of the rows whose buttons were taken away. */
async function removed(conversation: string): Promise<string[]> {
  const items = await fleet.runtime.kernel.readOut(conversation, '0', 1000)
  return items.flatMap((item) => (item.role === 'bot' && item.body.kind === 'unbutton' ? [item.body.replaces] : []))
}

function script(question: string, reply: string, times?: number): void {
  const often = times === undefined ? {} : { times }
  fleet.model.script({ when: { text: question }, ...often, answer: { kind: 'text', text: reply } })
}

test('/depth shows its choices, and a press sets one, in the same message, and says by whom', async () => {
  const c = 'web:depth'
  const menu = await ask(c, '/depth', 'depth')
  expect(menu.text).toBe('Default depth: automatic')
  expect(labels(menu)).toEqual([['light', 'standard', 'deep', '✓ automatic']])
  const said = await choose(c, find(menu, 'deep'), { name: 'Ann *the* [first](https://evil.example)' })
  expect(said.text).toBe(String.raw`Default depth: deep, set by Ann \*the\* \[first\]\(https\:\/\/evil\.example\).`)
  expect(said.buttons).toBeUndefined()
  expect(said.replaces).toBe(menu.row)
  expect((await ask(c, '/depth', 'depth')).text).toBe('Default depth: deep')
})

test('of two menus the older one is out of date, whatever it would have set; the newer one acts on what holds now', async () => {
  const c = 'web:two-menus'
  const older = await ask(c, '/config', 'config')
  const newer = await ask(c, '/config', 'config')
  for (const label of ['Default depth', 'Language', 'Done'])
    expect((await press(c, find(older, label))).result.kind).toBe('UNKNOWN')
  await ask(c, '/depth deep', 'depth')
  // The command's own answer asks nothing, so the menu above it still holds, and shows what was set since.
  const opened = await choose(c, find(newer, 'Default depth'))
  expect(labels(opened)[0]).toEqual(['light', 'standard', '✓ deep', 'automatic'])
  await ask(c, '/depth', 'depth')
  expect((await press(c, find(opened, 'light'))).result.kind).toBe('UNKNOWN')
  expect((await ask(c, '/status', 'status')).text).not.toContain('light')
})

test('/depth takes the names that people see, in either language, and answers with them', async () => {
  const c = 'web:depth-names'
  expect((await ask(c, '/depth Light', 'depth')).text).toBe('Default depth: light.')
  expect((await ask(c, '/depth 深入', 'depth')).text).toBe('默认深度：深入。')
  const menu = await ask(c, '/depth 随便', 'depth')
  expect(menu.text).toBe('没有“随便”这个选项。可以写：`light`、`standard`、`deep`、`auto`。\n\n默认深度：深入')
  expect(labels(menu)).toEqual([['轻度', '标准', '✓ 深入', '自动']])
  const typed = (await ask(c, '/depth [a](https://evil.example) `x` '.padEnd(300, '!'), 'depth')).text
  expect(typed).toMatch(
    /^“\\\[a\\\]\\\(https\\:\\\/\\\/evil\\\.example\\\) \\`x\\` [\\!]{1,20}” is none of the choices\./,
  )
  expect((await ask(c, '/depth auto', 'depth')).text).toBe('Default depth: automatic.')
  await ask(c, '现在几点？')
  expect((await ask(c, '/depth auto', 'depth')).text).toBe('默认深度：自动。')
})

test('/lang takes a choice as it shows it, and answers in the language that is set', async () => {
  const c = 'web:lang'
  const menu = await ask(c, '/lang fr', 'lang')
  const note = '“fr” is none of the choices. Write one of `zh`, `en`, `auto`.'
  expect([menu.text, labels(menu)]).toEqual([`${note}\n\nLanguage: automatic`, [['中文', 'English', '✓ automatic']]])
  expect((await ask(c, '/lang zh', 'lang')).text).toBe('语言：中文。')
  expect((await ask(c, '/depth deep', 'depth')).text).toBe('默认深度：深入。')
  expect((await ask(c, '/lang english', 'lang')).text).toBe('Language: English.')
})

test('/config leads to each setting and back in the same message, until done takes the buttons away', async () => {
  const c = 'web:config'
  const menu = await ask(c, '/config', 'config')
  expect(menu.text).toContain(
    '- Memory in groups: off\n- Task checkpoints: on\n- Steps per checkpoint: 3\n- Buttons under answers: automatic\n- Model: sim-main\n- Session: sess_',
  )
  expect(labels(menu)).toEqual([
    ['Language', 'Default depth', 'Style'],
    ['Technical depth', 'Pace', 'Noticing'],
    ['Memory asks after', 'Confirm memory', 'Memory in groups'],
    ['Task checkpoints', 'Steps per checkpoint', 'Buttons under answers'],
    ['Done'],
  ])
  const depth = await choose(c, find(menu, 'Default depth'))
  expect(labels(depth)).toEqual([['light', 'standard', 'deep', '✓ automatic'], ['Back']])
  expect(depth.replaces).toBe(menu.row)
  const back = await choose(c, find(depth, 'Back'))
  expect(labels(back)).toEqual(labels(menu))
  const again = await choose(c, find(back, 'Default depth'))
  const set = await choose(c, find(again, 'light'), { by: 'web:boss', name: 'Boss' })
  expect(set.text).toContain('- Default depth: light\n')
  expect(set.text).toContain('Default depth: light, set by Boss.')
  // The card stays the asker's, whoever of those who may has pressed.
  const language = await choose(c, find(set, 'Language'))
  const chinese = await choose(c, find(language, '中文'))
  expect(chinese.text).toContain('- 语言：中文\n- 默认深度：轻度')
  expect(chinese.text).toContain('语言：中文（由 ann 设定）。')
  const done = await choose(c, find(chinese, '完成'))
  expect(done.buttons).toBeUndefined()
  expect(done.text).not.toContain('设定')
  expect(await removed(c)).toEqual([])
})

test('a menu is for the asker, the chat’s administrators and the bot’s owners', async () => {
  const c = 'web:rights'
  const menu = await ask(c, '/config', 'config')
  const bob = await press(c, find(menu, 'Done'), { by: 'web:bob' })
  expect(bob.result).toEqual({ kind: 'FORBIDDEN' })
  const depth = await choose(c, find(menu, 'Default depth'), { by: 'web:bob', senderIsAdmin: true })
  const set = await choose(c, find(depth, 'deep'), { by: 'web:boss' })
  expect(set.text).toContain('Default depth: deep, set by boss.')
  expect((await press('web:elsewhere', find(set, 'Done'), { by: 'web:boss' })).result).toEqual({ kind: 'FORBIDDEN' })
})

test('a press that is refused is on record: who, where, which button', async () => {
  const lines: string[] = []
  await using heard = await startFleet({
    env: { FLOTILLA_ALLOW: '*', FLOTILLA_LOG_LEVEL: 'info' },
    onLog: (line) => void lines.push(line),
  })
  const c = 'web:record'
  const menu = await heard.ask('/depth', { conversation: c, principal: ann, slash: 'depth' })
  const [question = '', choice = ''] = find(menu, 'deep').split('.')
  const tries = [
    { actor: 'web:bob', chat: c, choice, outcome: 'FORBIDDEN' },
    { actor: ann, chat: 'web:elsewhere', choice, outcome: 'FORBIDDEN' },
    { actor: ann, chat: c, choice: 'forged', outcome: 'UNKNOWN' },
    { actor: ann, chat: c, choice, outcome: 'WON' },
  ]
  for (const { actor, chat, choice: pressed, outcome } of tries) {
    const event = wonPress({ conversation: c, question, choice, principal: actor })
    const { kind } = await heard.runtime.ingestKernel.resolve({ question, actor, chat, choice: pressed, event })
    expect(kind).toBe(outcome)
  }
  const records = lines.filter((line) => line.includes('refused a press')).map((line): unknown => JSON.parse(line))
  expect(records).toMatchObject(
    tries.slice(0, 3).map(({ actor, chat, outcome }) => ({ level: 'info', outcome, question, actor, chat })),
  )
})

test('of twenty who press at once one wins, and the setting is set once', async () => {
  const c = 'web:twenty'
  const menu = await ask(c, '/depth', 'depth')
  const choices = ['light', 'standard', 'deep', 'automatic']
  const pressed = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      press(c, find(menu, choices[i % 4] ?? ''), { by: `web:p${i}`, senderIsAdmin: true }),
    ),
  )
  const won = pressed.filter(({ result }) => result.kind === 'WON')
  expect(won).toHaveLength(1)
  expect(pressed.filter(({ result }) => result.kind === 'ALREADY')).toHaveLength(19)
  await fleet.replyTo(won[0]?.id ?? '', c)
  const cards = (await fleet.said(c)).filter((said) => said.replaces !== undefined)
  expect(cards).toHaveLength(1)
})

test('whoever has lost access changes nothing by a press', async () => {
  await using closed = await startFleet({ env: { FLOTILLA_OWNERS: 'web:boss' } })
  const c = 'web:lost'
  await closed.runtime.access.admit('person', ann, 'web:boss')
  const menu = await closed.ask('/depth', { conversation: c, principal: ann, slash: 'depth' })
  await closed.runtime.access.dismiss('person', ann)
  const [question = '', choice = ''] = find(menu, 'deep').split('.')
  const event = wonPress({ conversation: c, principal: ann, question, choice })
  await closed.runtime.ingestKernel.resolve({ question, actor: ann, chat: c, choice, event })
  await closed.runtime.hints.inbound(c)
  const seen = await closed.ask('/depth', { conversation: c, principal: 'web:boss', slash: 'depth' })
  expect(seen.text).toBe('Default depth: automatic')
})

test('a menu is answered by a fleet that was started anew', async () => {
  await using other = await startFleet({ redisUrl: fleet.redis.url, env: { FLOTILLA_ALLOW: '*' }, parts: [] })
  const c = 'web:restart'
  const menu = await ask(c, '/depth', 'depth')
  const [question = '', choice = ''] = find(menu, 'light').split('.')
  const event = wonPress({ id: 'p9', conversation: c, principal: ann, question, choice })
  const kernel = other.runtime.ingestKernel
  expect((await kernel.resolve({ question, actor: ann, chat: c, choice, event })).kind).toBe('WON')
  other.startRouter()
  await other.runtime.hints.inbound(c)
  expect((await fleet.replyTo('p9', c)).text).toContain('Default depth: light')
})

test('the stop button ends the turn within a second, also while the router is dead', async () => {
  await using small = await startFleet({ parts: ['executor'], env: { FLOTILLA_ALLOW: '*' } })
  const router = small.startRouter()
  const c = 'web:stop'
  small.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const id = await small.tell('stall', { conversation: c, principal: ann })
  await until(() => small.model.ledger.entries.length === 1)
  await router.stop(0)
  const { epoch } = await epochOf(small, c)
  const id1 = toQuestionId(c, randomId())
  const { question } = createStop(id1, { owner: ann, turn: 't1', language: 'en' })
  await small.runtime.kernel.append(c, epoch, { key: 't1/first', entries: [], questions: [question] })
  const event = wonPress({ id: 's1', conversation: c, principal: ann, question: question.id, choice: 'stop' })
  const pressedAtMs = Date.now()
  const stop = { question: question.id, actor: ann, chat: c, choice: 'stop', event }
  expect((await small.runtime.ingestKernel.resolve(stop)).kind).toBe('WON')
  const reply = await small.replyTo(id, c)
  expect(Date.now() - pressedAtMs).toBeLessThanOrEqual(1000)
  expect(reply).toMatchObject({ text: 'echo: stall\n\n(Stopped.)', answers: [id, 's1'] })
  small.startRouter()
  expect((await small.ask('which way now?', { conversation: c, principal: ann })).text).toContain(
    'echo: which way now?',
  )
  expect(await small.said(c)).toHaveLength(2)
})

test('an answer can be made shorter or longer in its place, and the buttons move along', async () => {
  const c = 'web:resize'
  script('tell me all', long, 1)
  script('Rewrite your last answer shorter', shortAnswer)
  const first = await ask(c, 'tell me all')
  expect(labels(first)).toEqual([['Shorter', 'Longer']])
  const shorter = await choose(c, find(first, 'Shorter'))
  expect(shorter.text).toBe(shortAnswer)
  expect(shorter.replaces).toBe(first.row)
  expect(labels(shorter)).toEqual([['Longer']])
  expect(JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)).toContain(long)
  expect(await removed(c)).toEqual([])
  // What /retry does again is the question, not the rewriting.
  script('tell me all', 'done again')
  expect((await ask(c, '/retry', 'retry')).text).toBe('done again')
  expect(await removed(c)).toEqual([shorter.row])
})

test('the buttons go with the next reply, whatever it is, and are no longer valid', async () => {
  const c = 'web:gone'
  script('tell me all', long)
  const first = await ask(c, 'tell me all')
  await ask(c, '/help', 'help')
  expect(await removed(c)).toEqual([first.row])
  expect((await press(c, find(first, 'Longer'))).result).toEqual({ kind: 'UNKNOWN' })
  const second = await ask(c, 'tell me all of it again')
  await ask(c, 'tell me all once more')
  expect(await removed(c)).toEqual([first.row, second.row])
  expect((await press(c, find(second, 'Longer'))).result).toEqual({ kind: 'UNKNOWN' })
})

test('shorter and longer are for the asker, administrators and owners; the answer stays the asker’s', async () => {
  const c = 'web:whose'
  script('tell me all', long)
  script('Rewrite your last answer', long)
  const first = await ask(c, 'tell me all')
  expect((await press(c, find(first, 'Longer'), { by: 'web:bob' })).result).toEqual({ kind: 'FORBIDDEN' })
  const longer = await choose(c, find(first, 'Longer'), { by: 'web:boss' })
  expect((await press(c, find(longer, 'Shorter'), { by: 'web:bob' })).result).toEqual({ kind: 'FORBIDDEN' })
  expect((await choose(c, find(longer, 'Shorter'))).replaces).toBe(longer.row)
})

test('a press that a reply has overtaken is told so, and rewrites nothing', async () => {
  const c = 'web:overtaken'
  script('tell me all', long)
  const first = await ask(c, 'tell me all')
  fleet.model.script({ when: { text: 'and more' }, gate: { name: 'overtaken' } })
  const waiting = await fleet.tell('and more', { conversation: c, principal: ann })
  await until(() => fleet.model.ledger.counters.open === 1)
  const { result, id } = await press(c, find(first, 'Shorter'))
  expect(result.kind).toBe('WON')
  fleet.model.open('overtaken')
  await fleet.replyTo(waiting, c)
  expect((await fleet.replyTo(id, c)).text).toBe('That answer is not my last one any more; tell me what to rewrite.')
  expect(new Set(await removed(c))).toEqual(new Set([first.row]))
})

test.each([
  ['a command', '/status', 'status'],
  ['a courtesy', 'thank you very much indeed', undefined],
])('%s carries no buttons', async (_, text, slash) => {
  expect((await ask(`web:none-${slash}`, text, slash)).buttons).toBeUndefined()
})

test('a short answer and a failure that asking again does not mend carry no buttons; an answer without text can be asked for again', async () => {
  const c = 'web:short'
  script('one', 'forty characters are not reached here')
  expect((await ask(c, 'one')).buttons).toBeUndefined()
  fleet.model.script({ when: { text: 'two' }, answer: { kind: 'empty' } })
  expect((await ask(c, 'what is two?')).buttons?.flat().map(({ label }) => label)).toEqual(['Retry'])
  fleet.model.script({ when: { text: 'three' }, answer: { kind: 'error', status: 401 } })
  expect((await ask(c, 'what is three?')).buttons).toBeUndefined()
})

test('a chat turns the buttons under answers off, and the operator those of all chats', async () => {
  const c = 'web:off'
  script('tell me all', long)
  const menu = await ask(c, '/config', 'config')
  const item = await choose(c, find(menu, 'Buttons under answers'))
  const set = await choose(c, find(item, 'off'))
  await choose(c, find(set, 'Done'))
  expect((await ask(c, 'tell me all')).buttons).toBeUndefined()
  await using quiet = await startFleet({ env: { FLOTILLA_ANSWER_BUTTONS: 'off' } })
  quiet.model.script({ when: { text: 'tell me all' }, answer: { kind: 'text', text: long } })
  expect((await quiet.ask('tell me all')).buttons).toBeUndefined()
})

async function epochOf(small: Fleet, conversation: string): Promise<{ epoch: number }> {
  const { redis } = small.runtime
  const [key = ''] = await redis.keys(`*r:${conversation}`)
  return { epoch: Number(await redis.hget(key, 'epoch')) }
}

test('a menu stays in the language it was asked in, whatever others speak meanwhile', async () => {
  const c = 'web:languages'
  script('你好吗', '很好。')
  const menu = await ask(c, '/config', 'config')
  await fleet.ask('你好吗？', { conversation: c, principal: 'web:chen' })
  const depth = await choose(c, find(menu, 'Default depth'))
  expect(depth.text).toBe('Default depth: automatic')
  const set = await choose(c, find(depth, 'light'))
  expect(set.text).toContain('Default depth: light, set by ann.')
})

test('a command without words is answered in the language of its sender’s program, else the one last heard', async () => {
  const c = 'web:spoken'
  script('你好吗', '很好。')
  await fleet.ask('你好吗？', { conversation: c, principal: 'web:chen' })
  const how = { conversation: c, principal: ann, slash: 'depth' }
  expect((await fleet.ask('/depth', { ...how, language: 'en' })).text).toBe('Default depth: automatic')
  expect((await fleet.ask('/depth', how)).text).toBe('默认深度：自动')
})
