// The marks as they are found where the model wrote them itself, and as they are written.
import { expect, test } from 'vitest'
import { doubts, toFailureMark, toUndoneMark, unmark } from '#services/confidence/marks.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const failed = (name: string) => ({ name, ok: false })
const refusals = (['denied', 'too-often', 'rules'] as const).flatMap((why) => [
  { ...failed('a_tool'), refused: { why } },
  { ...failed('a_tool'), refused: { why, againInMs: 70_000 } },
])

const own = [
  ...Object.values(doubts),
  { zh: toFailureMark(failed('a_tool'), 'zh'), en: toFailureMark(failed('a_tool'), 'en') },
  ...refusals.map((one) => ({ zh: toFailureMark(one, 'zh'), en: toFailureMark(one, 'en') })),
  ...['remind me', 'send it'].map((question) => ({
    zh: toUndoneMark({ question, answer: '' }, 'zh'),
    en: toUndoneMark({ question, answer: '' }, 'en'),
  })),
].flatMap(({ zh, en }) => [zh, en])
const others = [
  '（这是基于现有信息的最佳判断）',
  '(这是基于现有信息的最佳判断。)',
  '（对此不太确定, 建议验证）',
  '**（对此不太确定，建议验证）**',
  '(This is the best judgement based on available information)',
  "(I'm not sure about this, please verify)",
]

test.each([...own, ...others])('%s is taken out wherever it stands, however often', (mark) => {
  expect(unmark(`${mark}\n\nIt is 42.`)).toBe('It is 42.')
  expect(unmark(`It is 42.\n\n${mark}\n`).trim()).toBe('It is 42.')
  expect(unmark(`${mark}\n${mark}\nFirst.\n\n${mark}\nSecond ${mark} half.`)).toBe('First.\n\nSecond half.')
  expect(unmark(mark)).toBe('')
})

const begun = [...Object.values(doubts).flatMap(({ zh, en }) => [zh, en]), '（这是基于现有信息的最佳判断）']

test.each(begun)('of %s that is being written nothing is shown but its bracket and a letter', (mark) => {
  for (let end = 3; end <= mark.length; end += 1) expect(unmark(`So. ${mark.slice(0, end)}`).trim()).toBe('So.')
})

test.each([
  'The mark “（对此不太确定，建议验证）” says that I doubt it.',
  '`（基于现有信息的最佳判断）` is a mark.',
  'I am not sure about this.',
  'A list (with a note) and a smile :-(',
  'f(x) = (that',
  '（这是另一回事）',
])('%j is left as it is', (text) => {
  expect(unmark(text)).toBe(text)
})

test('a call that was refused did not fail: it says why, and when it may be asked for again', () => {
  const denied = { ...failed('pay'), refused: { why: 'denied', againInMs: 100_000 } as const }
  expect(toFailureMark(denied, 'en')).toBe(
    '(Not done: `pay` was refused, since somebody has just denied exactly this; ask again in 2 minutes)',
  )
  expect(toFailureMark(denied, 'zh')).toBe('（没有做成：刚刚有人拒绝了 `pay`，2 分钟后可以再提）')
})

test('a mark names the tool that failed only as a name', () => {
  expect(toFailureMark(failed('reminder_set'), 'zh')).toBe('（没有做成：`reminder_set`失败了，请不要当作已经完成）')
  expect(toFailureMark(failed('reminder_set'), 'en')).toBe(
    '(Not done: `reminder_set` failed, so please do not rely on it)',
  )
  expect(toFailureMark(failed('[x](https://evil.example)'), 'zh')).toBe(
    '（没有做成：一个工具失败了，请不要当作已经完成）',
  )
  expect(toFailureMark(failed('a b'), 'en')).toBe('(Not done: a tool failed, so please do not rely on it)')
})

test.each(['(', '（', ' ', '\n', '*', '（对此', '(I am not sure about this', '（没有做成：x'])(
  'takes little time for 256 KB of %j',
  (unit) => {
    const text = unit.repeat(Math.ceil(256_000 / unit.length))
    const beganMs = processorMs()
    unmark(text)
    expect(processorMs() - beganMs).toBeLessThan(200)
  },
)
