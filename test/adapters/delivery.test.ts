// What every platform's rows come to, whatever the platform.
import { expect, test } from 'vitest'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import type { CallResult } from '#adapters/calls/call-result.ts'
import { deliverRow, type RowRequests } from '#adapters/delivery/deliver-row.ts'
import { toDraftOutcome } from '#adapters/delivery/outcome.ts'

const texts: Pick<BegunRow['body'], 'v' | 'answers' | 'language'> = { v: 1, answers: [], language: 'en' }
const withFile = { ...texts, kind: 'send', text: 'Long.', file: { name: 'a.md', caption: 'A', text: 'Long.' } } as const
const refused = { kind: 'refused', code: 403, reason: 'no' } as const

/** A platform that answers each request alike, and tells what it was asked. */
function platform(result: CallResult<string>): {
  readonly asked: string[]
  readonly requests: RowRequests<string, object>
} {
  const asked: string[] = []
  const ask = (what: string): Promise<CallResult<string>> => {
    asked.push(what)
    return Promise.resolve(result)
  }
  const requests: RowRequests<string, object> = {
    name: 'Carrier',
    react: (messageId, emoji) => ask(`${emoji} on ${messageId}`),
    takeButtonsOff: (receipt) => ask(`no buttons on ${receipt}`),
    isGone: ({ code }) => code === 404,
    send: ({ text }, receipt) => ask(receipt === undefined ? text : `${text} into ${receipt}`),
    mayBeFile: ({ code }) => code === 403,
    toReceipt: (receipt) => receipt,
    toRefusal: ({ code }) => ({ kind: 'failed', reason: String(code) }),
  }
  return { asked, requests }
}

const row = (body: BegunRow['body'], more: Partial<BegunRow> = {}): BegunRow => ({
  id: 'r',
  body,
  attempts: 1,
  cameAtMs: 0,
  ...more,
})

test('a reaction is sent, whatever becomes of it', async () => {
  const { asked, requests } = platform(refused)
  const outcome = await deliverRow(requests, row({ ...texts, kind: 'react', messageId: 'm', emoji: '👍' }))
  expect([outcome, asked]).toEqual([{ kind: 'sent', receipt: '' }, ['👍 on m']])
})

test('a notice goes as a text of its own', async () => {
  const { asked, requests } = platform({ kind: 'ok', value: 'm7' })
  const notice = { ...texts, kind: 'notice', about: 'r0', outcome: 'failed', question: '' } as const
  expect(await deliverRow(requests, row(notice))).toEqual({ kind: 'sent', receipt: 'm7' })
  expect(asked).toEqual(['A message of mine could not be sent.'])
})

test.each([
  ['is gone', { ...refused, code: 404 }, { kind: 'sent', receipt: '' }],
  ['may not be changed', refused, { kind: 'failed', reason: '403' }],
] as const)('buttons come off a message, also when it %s', async (_, answer, outcome) => {
  const { asked, requests } = platform(answer)
  const body = { ...texts, kind: 'unbutton', replaces: 'card' } as const
  expect(await deliverRow(requests, row(body, { replacesReceipt: 'm1' }))).toEqual(outcome)
  expect(await deliverRow(requests, row(body))).toEqual({ kind: 'sent', receipt: '' })
  expect(asked).toEqual(['no buttons on m1'])
})

test.each([
  ['is gone', { ...refused, code: 404 }, { kind: 'sent', receipt: '' }],
  ['may not be changed', refused, { kind: 'failed', reason: '403' }],
] as const)('how a plan ended is written into its message only, also when that %s', async (_, answer, outcome) => {
  const { asked, requests } = platform(answer)
  const body = { ...texts, kind: 'send', text: 'Plan', plan: true, replaces: 'plan' } as const
  expect(await deliverRow(requests, row(body, { replacesReceipt: 'm1' }))).toEqual(outcome)
  expect(await deliverRow(requests, row(body))).toEqual({ kind: 'sent', receipt: '' })
  expect(asked).toEqual(['Plan into m1'])
})

test('what is refused for its file goes as its text', async () => {
  const { requests } = platform(refused)
  const { file: _, ...text } = withFile
  expect(await deliverRow(requests, row(withFile))).toEqual({ kind: 'split', bodies: [text] })
  expect(await deliverRow(requests, row(text))).toEqual({ kind: 'failed', reason: '403' })
})

test.each<[CallResult<string>, object, object]>([
  [{ kind: 'ok', value: 'm' }, { kind: 'sent', receipt: 'm' }, { kind: 'shown' }],
  [
    { kind: 'slow-down', retryAfterMs: 3000, scope: 'bot' },
    { kind: 'retry', afterMs: 3050, reason: 'Carrier asks to slow down', slowDown: 'bot' },
    { kind: 'refused', afterMs: 3050, slowDown: 'bot' },
  ],
  [
    { kind: 'not-sent', reason: 'ECONNREFUSED' },
    { kind: 'retry', afterMs: 4000, reason: 'ECONNREFUSED' },
    { kind: 'refused', afterMs: 5000 },
  ],
  [{ kind: 'unclear', reason: 'lost' }, { kind: 'unknown', reason: 'lost', afterMs: 4000 }, { kind: 'unclear' }],
  [refused, { kind: 'failed', reason: '403' }, { kind: 'refused', afterMs: 60_000 }],
])('%j means the same for a row and a draft everywhere', async (result, outcome, shown) => {
  const { requests } = platform(result)
  const body = { ...texts, kind: 'send', text: 'Hi.' } as const
  expect(await deliverRow(requests, row(body, { attempts: 3 }))).toEqual(outcome)
  expect(toDraftOutcome(result, 60_000)).toEqual(shown)
})
