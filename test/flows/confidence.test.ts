// How sure an answer is, over real Redis and real queues: the mark in both languages, in what is rewritten, with tools that fail, and in no draft.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import { edit, wonPress } from '#test/rig/events.ts'
import { startFleet, until, type Fleet, type Said } from '#test/rig/fleet.ts'

const broken: Feature = {
  name: 'broken',
  tools: [
    {
      name: 'mail_send',
      description: 'Sends a mail.',
      parameters: { type: 'object' },
      effect: 'read',
      onCrash: 'rerun',
      run: async () => {
        throw new Error('no connection')
      },
    },
  ],
}

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' }, features: [broken] })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
})
beforeEach(() => {
  fleet.model.clearScript()
  fleet.model.ledger.clear()
})

const ann = 'web:ann'
const medium = '（基于现有信息的最佳判断）'
const low = '(I am not sure about this; please verify)'
const modelMark = '（这是基于现有信息的最佳判断）'
const cause = '网站突然变慢了，是怎么回事？'
const inference = '多半是数据库连接池满了，先看一下慢查询日志，再看最近有没有发布。'.repeat(15)

const ask = async (conversation: string, text: string, messageId?: string): Promise<Said> =>
  await fleet.ask(text, { conversation, principal: ann, ...(messageId ? { messageId } : {}) })
const script = (when: string, text: string): void =>
  fleet.model.script({ when: { text: when }, answer: { kind: 'text', text } })

/** Presses the button with this label, and waits for what comes of it. */
async function press(conversation: string, { buttons = [] }: Said, label: string): Promise<Said> {
  const [question = '', choice = ''] =
    buttons
      .flat()
      .find((one) => one.label === label)
      ?.id.split('.') ?? []
  const id = `press-${conversation}`
  const event = wonPress({ id, conversation, principal: ann, at: Date.now(), question, choice })
  await fleet.runtime.ingestKernel.resolve({ question, actor: ann, chat: conversation, choice, event })
  await fleet.runtime.hints.inbound(conversation)
  return await fleet.replyTo(id, conversation)
}

test('a Chinese answer that infers is marked, and so is its shorter version, once, in its place', async () => {
  const c = 'web:zh'
  script(cause, inference)
  script('更短', `${modelMark}\n\n多半是数据库连接池满了。`)
  const said = await ask(c, cause)
  expect(said.text).toBe(`${medium}\n\n${inference}`)
  const shorter = await press(c, said, '短一点')
  expect(shorter.text).toBe(`${medium}\n\n多半是数据库连接池满了。`)
  expect(shorter.replaces).toBe(said.row)
  const sent = JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages.slice(1, -1))
  expect(sent).toContain(inference)
  expect(sent).not.toContain('最佳判断')
})

test('an English one too, and one that is asked for again after an edit', async () => {
  const c = 'web:en'
  script('price of Bitcoin', 'Bitcoin is at $67,412.')
  script('price of Ether', 'Ether is at $3,120.')
  const first = 'What is the current price of Bitcoin?'
  expect((await ask(c, first, 'm-first')).text).toBe(`${low}\n\nBitcoin is at $67,412.`)
  const text = 'What is the current price of Ether?'
  await fleet.send(edit(text, { messageId: 'm-first', id: 'edit-en', conversation: c, principal: ann }))
  const asked = await fleet.replyTo('edit-en', c)
  expect((await press(c, asked, 'Redo')).text).toBe(`${low}\n\nEther is at $3,120.`)
})

test('an answer that says "done" after its tool failed says that it was not', async () => {
  const calls = [{ name: 'mail_send', arguments: '{}' }]
  for (const [c, order, done, mark] of [
    ['web:en-tool', 'Send the mail to Jonas', 'Done!', '(Not done: `mail_send` failed, so please do not rely on it)'],
    ['web:zh-tool', '把邮件发给张伟', '已经发送。', '（没有做成：`mail_send`失败了，请不要当作已经完成）'],
  ] as const) {
    fleet.model.script({ when: { text: order, last: 'user' }, answer: { kind: 'tools', calls } })
    fleet.model.script({ when: { text: order, last: 'tool' }, answer: { kind: 'text', text: done } })
    expect((await ask(c, order)).text).toBe(`${mark}\n\n${done}`)
  }
})

test('what can be known, a courtesy and a command have no mark', async () => {
  const c = 'web:plain'
  script('capital of France', 'Paris.')
  expect((await ask(c, 'What is the capital of France?')).text).toBe('Paris.')
  expect((await ask(c, '谢谢！')).text).toBe('不客气。')
  const status = await fleet.ask('/status', { conversation: c, principal: ann, slash: 'status' })
  expect(status.text).not.toMatch(/判断|verify|judgement/)
})

test('no draft shows a mark, neither ours nor one of the model', async () => {
  const c = 'web:draft'
  const gate = { name: 'draft', afterChunks: 12 }
  fleet.model.script({
    when: { text: cause },
    answer: { kind: 'text', text: `${modelMark}\n\n${inference}` },
    chunkDelayMs: 50,
    gate,
  })
  const id = await fleet.tell(cause, { conversation: c, principal: ann })
  const shown: string[] = []
  await until(async () => {
    const text = (await fleet.runtime.kernel.findDraft(c))?.text ?? ''
    shown.push(text)
    return text.length > 0
  })
  fleet.model.open('draft')
  expect((await fleet.replyTo(id, c)).text).toBe(`${medium}\n\n${inference}`)
  expect(shown.join('')).not.toMatch(/[（(]|判断/)
})
