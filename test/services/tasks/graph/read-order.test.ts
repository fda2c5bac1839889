// What an order asks for that code can check, in the words in which people ask, and what is left alone.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOrder, type Order } from '#services/tasks/graph/read-order.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

const toRange = (min: number | null, max: number | null): string =>
  min === max ? `${min}` : `${min ?? ''}-${max ?? ''}`

/** Short enough to be read in a table. */
function toShort({ counts, length, files, language }: Order): string {
  return [
    ...counts.map(({ what, min, max }) => `${what} ${toRange(min, max)}`),
    ...(length ? [`${length.unit} ${toRange(length.min, length.max)}`] : []),
    ...files,
    ...(language ? [language] : []),
  ].join(', ')
}

describe('numbers of things', () => {
  it.each([
    ['Write a short guide in three parts and stop after each', 'parts 3-'],
    ['write a short guide to sourdough in 3 parts', 'parts 3-'],
    ['Draft a three-part series on composting', 'parts 3-'],
    ['I need a 5-section report about the outage', 'sections 5-'],
    ['Make me a handbook with four chapters, each with two examples', 'chapters 4-'],
    ['explain closures, give me 3 examples', 'examples 3-'],
    ['Explain recursion with at least two simple examples.', 'examples 2-'],
    ['List five key points from the meeting', 'points 5-'],
    ['summarise it in no more than 5 bullet points', 'points -5'],
    ['The report should have exactly three sections', 'sections 3'],
    ['Please split the tutorial into six chapters', 'chapters 6-'],
    ['write a book outline with 10 to 12 chapters', 'chapters 10-12'],
    ['写一份三部分的入门指南，每部分写完停一下', 'parts 3-'],
    ['分三个部分写一份面包制作指南', 'parts 3-'],
    ['帮我写一篇小说大纲，一共十二章', 'chapters 12-'],
    ['写个五章的教程', 'chapters 5-'],
    ['给我举3个例子', 'examples 3-'],
    ['解释一下闭包，至少给两个示例', 'examples 2-'],
    ['总结成五个要点', 'points 5-'],
    ['列出10条建议', 'points 10-'],
    ['分四点说明为什么要备份', 'points 4-'],
    ['总结一下，不超过5条要点', 'points -5'],
    ['报告分为4个小节', 'sections 4-'],
    ['写一份分成两部分、各有三个案例的报告', 'parts 2-'],
  ])('%j', (text, wanted) => {
    expect(toShort(readOrder(text))).toBe(wanted)
  })
})

describe('lengths', () => {
  it.each([
    ['Write a 500-word essay on tea', 'words 425-575'],
    ['write about 1,000 words on the history of tea', 'words 750-1250'],
    ['Write an 800 to 1000 word article', 'words 760-1050'],
    ['keep it under 200 words', 'words -210'],
    ['A blog post of at least 1500 words please', 'words 1425-'],
    ['summarize the book in 300 words or less', 'words -315'],
    ['write a product description, max 160 characters', 'characters -160'],
    ['write a tweet, no more than 280 characters', 'characters -280'],
    ['give it to me in roughly 2k words', 'words 1500-2500'],
    ['写一篇500字的作文', 'words 425-575'],
    ['写一篇三千字左右的报告', 'words 2250-3750'],
    ['帮我写800到1000字的读后感', 'words 760-1050'],
    ['字数不少于1500字', 'words 1425-'],
    ['简介控制在200字以内', 'words -210'],
    ['写一个不超过140个字符的简介', 'characters -140'],
    ['写一万字的小说', 'words 8500-11500'],
    ['大约1.5万字', 'words 11250-18750'],
    ['回复不要超过300字', 'words -315'],
    ['Do the summary and do not exceed 300 words', 'words -315'],
    ['Summarise this 5-chapter book in 200 words or less', 'words -210'],
    ['写3个部分，每部分200字', 'parts 3-'],
    ['write three sections of 200 words each', 'sections 3-'],
  ])('%j', (text, wanted) => {
    expect(toShort(readOrder(text))).toBe(wanted)
  })
})

describe('files and languages', () => {
  it.each([
    ['Write the guide and save it as guide.md', 'guide.md'],
    ['create index.html, style.css and app.js for a todo page', 'index.html, style.css, app.js'],
    ['Read notes.txt and write a summary to summary.md', 'summary.md'],
    ['Put the results in a file called "results.csv".', 'results.csv'],
    ['把结果保存为报告.md', '报告.md'],
    ['根据 data.csv 生成 report.md 和 chart.svg', 'report.md, chart.svg'],
    ['新建一个叫 todo.txt 的文件', 'todo.txt'],
    ['写一份周报，存到 weekly.md 里', 'weekly.md'],
    ['Write the report in English, 写三部分', 'parts 3-, en'],
    ['answer in Chinese please', 'zh'],
    ['Translate this letter into English.', 'en'],
    ['用英文写一封求职信', 'en'],
    ['请用中文回答', 'zh'],
    ['把这段话翻译成英文', 'en'],
    ['写一篇英文文章，介绍长城', 'en'],
    ['Write a Python script and save it as run.py', 'run.py'],
    ['写一份关于第三章的总结，500字左右，存成 summary.md，并给出三个例子', 'examples 3-, words 375-625, summary.md'],
    [
      'Write a 3-part guide of about 600 words in Chinese and save it as guide.md',
      'parts 3-, words 450-750, guide.md, zh',
    ],
  ])('%j', (text, wanted) => {
    expect(toShort(readOrder(text))).toBe(wanted)
  })
})

describe('what is left alone', () => {
  it.each([
    'Summarize chapter 3 of the book',
    'I read the first three chapters yesterday, what comes next?',
    'Compare these three examples',
    'the three parts of the plan are fine, polish the text',
    'translate the 300 words below',
    'He types 90 words per minute',
    'teach me 20 words of Spanish',
    'write a story with two main characters',
    "don't write three parts, one is enough",
    'Why does every novel have three parts?',
    'fix the bug in app.js',
    'look at data.csv and tell me what is wrong',
    'build a Node.js server',
    'create a Next.js app',
    'recommend a dish in Chinese restaurants',
    'How do you say cheese in English?',
    'write it in English and Chinese',
    'meet me at 3 points on the map',
    'our team of 5 sections grew',
    '明天下午三点提醒我开会',
    '这三个例子有什么区别',
    '第三章讲了什么',
    '上面这500字帮我润色一下',
    '四个字的成语有哪些',
    '每天写500字日记有用吗',
    '每章500字',
    '打开 config.json 看看',
    '根据 data.csv 分析一下',
    '不要分三部分写',
    '中英文都要',
    '他写了三章就放弃了',
    '我的论文有五章，帮我检查错别字',
    'it has two parts',
    'say "write three parts" to him',
    'Write a review of a three-part documentary',
    'Write a script that reads data.csv and plots the top 10 points',
    'Write a script that writes out.csv',
    '写一个脚本读取 data.csv，输出 out.csv',
    '把这三部分合成一篇',
    '写一篇关于《三体》第三部分的评论',
    'explain it in two words',
    'write three-word slogans',
    'I want to read 3 chapters tonight',
    'open the file called notes.md',
    'tell me about my English class in English class',
    'hello',
    '',
  ])('%j', (text) => {
    expect(toShort(readOrder(text))).toBe('')
  })
})

it('takes time in proportion to the text, whatever it says', () => {
  const pieces = fc.constantFrom(
    'three ',
    'parts ',
    '三',
    '部分',
    '500',
    '字',
    ' words',
    'save as ',
    'a.md',
    '、',
    '.',
    '"',
    '(',
    '不',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (all) => {
      expect(readOrder(all.join('')).counts.length).toBeLessThanOrEqual(5)
    }),
    runs(500),
  )
  for (const piece of ['three parts ', '三个', '500-', 'a.', 'in English and ', '"', 'save a.md, '])
    for (const pump of [piece, piece.trim()]) {
      const [text, from] = [pump.repeat(200_000), processorMs()]
      readOrder(text)
      expect(processorMs() - from).toBeLessThan(500)
    }
})
