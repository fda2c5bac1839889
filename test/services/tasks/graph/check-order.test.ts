// What code finds missing in a result, by counting, and what it leaves to a model.
import { expect, it } from 'vitest'
import { findMissing, type Made } from '#services/tasks/graph/check-order.ts'
import { readOrder } from '#services/tasks/graph/read-order.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const words = (count: number): string => 'tea '.repeat(count)
const signs = (count: number): string => '茶'.repeat(count)
const headings = (count: number, mark = '##'): string =>
  Array.from({ length: count }, (_, at) => `${mark} On tea ${at}\n\nSome words on it.\n`).join('\n')
const list = (count: number): string => Array.from({ length: count }, (_, at) => `- point ${at} of it`).join('\n')

function missing(order: string, made: Partial<Made>): string {
  const found = findMissing(readOrder(order), { answer: '', parts: [], files: [], ...made })
  return found.map((one) => `${one.what} ${one.found}/${one.wanted}`).join(', ')
}

it.each<[string, Partial<Made>, string]>([
  ['Write a guide in three parts', { answer: headings(3) }, ''],
  ['Write a guide in three parts', { answer: `# Tea\n\n${headings(2)}` }, 'parts 2/≥3'],
  ['Write a guide in three parts', { answer: `# Tea\n\n${headings(4)}` }, ''],
  ['Write a guide in three parts', { answer: 'It is written.', parts: ['a', 'b', 'c'] }, ''],
  ['Write a guide in three parts', { answer: 'It is written.', parts: ['a', 'b', ' '] }, 'parts 2/≥3'],
  ['Write a guide in three parts', { answer: `# Tea\n\n${words(80)}` }, ''],
  ['Write a guide in three parts', { answer: 'Part 1: leaves\n\nSome.\n\nPart 2: water\n\nMore.' }, 'parts 2/≥3'],
  ['写一份三部分的指南', { answer: '第一部分 茶叶\n……\n第二部分 水\n……\n第三部分 火候\n……' }, ''],
  ['写一份三部分的指南', { answer: '**第一部分** 茶叶\n……\n**第二部分** 水\n……' }, 'parts 2/≥3'],
  ['写一篇小说大纲，一共五章', { files: [{ name: 'a.md', text: '第1章 来\n第2章 去\n第3章 回' }] }, 'chapters 3/≥5'],
  ['List five key points from it', { answer: list(5) }, ''],
  ['List five key points from it', { answer: `Here they are:\n\n${list(4)}\n\nThat is all.` }, 'points 4/≥5'],
  ['sum it up in no more than 5 points', { answer: list(7) }, 'points 7/≤5'],
  ['give me 3 examples', { answer: 'Take a cup. Or take a pot. Or take a glass, for example.' }, ''],
  ['给我举3个例子', { answer: '例1：茶杯\n例2：茶壶' }, 'examples 2/≥3'],
  ['Write a 500-word essay', { answer: words(510) }, ''],
  ['Write a 500-word essay', { answer: words(200) }, 'words 200/425–575'],
  [
    'Write a 500-word essay and save it as essay.md',
    { answer: 'Saved.', files: [{ name: 'essay.md', text: words(490) }] },
    '',
  ],
  ['写一篇500字的作文', { answer: signs(300) }, 'words 300/425–575'],
  ['写一篇800字以上的作文', { parts: [signs(400), signs(420)], answer: '写好了' }, ''],
  ['write a tweet, no more than 280 characters', { answer: 'x'.repeat(281) }, 'characters 281/≤280'],
  ['Save it as guide.md', { files: [{ name: 'docs/guide.md', text: 'x' }] }, ''],
  ['Save it as guide.md', { files: [{ name: 'notes.md', text: 'x' }] }, 'file /guide.md'],
  ['把结果保存为报告.md', {}, 'file /报告.md'],
  ['用英文写一封信', { answer: signs(200) }, 'language zh/en'],
  ['用英文写一封信', { answer: `信写好了：\n\n${words(60)}` }, ''],
  ['answer in Chinese please', { answer: words(60) }, 'language en/zh'],
  ['answer in Chinese please', { answer: `${signs(80)} Redis 和 BullMQ 的 API` }, ''],
  ['answer in Chinese please', { answer: 'OK' }, ''],
  ['Translate it into English.', { answer: '```\n中文注释中文注释中文注释中文注释中文注释\n```' }, ''],
  ['tidy it up', { answer: '' }, ''],
])('%j with %j lacks %j', (order, made, wanted) => {
  expect(missing(order, made)).toBe(wanted)
})

it('takes time in proportion to what was made', () => {
  const order = readOrder('用英文写三部分，每部分附3个例子。列出10条建议。至少500字，保存为 a.md')
  for (const pump of ['例子', '1. ', '# ', '第一', 'part ', ' ', '- a\n', 'a-', '```'])
    for (const made of [{ answer: pump.repeat(300_000) }, { files: [{ name: 'b', text: pump.repeat(300_000) }] }]) {
      const from = processorMs()
      findMissing(order, { answer: '', parts: [], files: [], ...made })
      expect(processorMs() - from).toBeLessThan(2000)
    }
})
