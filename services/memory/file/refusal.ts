// Why a MEMORY.md that was sent back changes nothing, line by line, with what to do, in the person's language. What they wrote is repeated as code, so that
// nothing in it reads as something else.
import type { Language } from '#shared/chat/message.ts'
import { mostRecordChars } from '#shared/memory/record.ts'
import type { Misfit } from './diff.ts'
import { sections } from './document.ts'
import type { Fault } from './read.ts'

/** What has more a person would not read at once. */
const mostShown = 10
const mostQuotedChars = 60
const names = sections.map(({ name }) => `\`## ${name}\``)

export function toRefusal(found: readonly (Fault | Misfit)[], language: Language): string {
  const isChinese = language === 'zh'
  const lines = found.slice(0, mostShown).map((one) => toLine(one, language))
  const more = found.length - lines.length
  const rest = more > 0 ? [isChinese ? `- 还有 ${more} 处。` : `- And ${more} more.`] : []
  const [head, foot] = isChinese
    ? ['MEMORY.md 里有看不懂或不能记的地方，什么都没有改：', '行数从文件的第一行数起。`/memory file` 给出现在的样子。']
    : [
        'Nothing was changed, since I do not understand, or may not keep, all of this MEMORY.md:',
        'Lines are counted from the first line of the file. `/memory file` gives it as it is now.',
      ]
  return [head, '', ...lines, ...rest, '', foot].join('\n')
}

function toLine(one: Fault | Misfit, language: Language): string {
  // A secret is not said once more.
  const isShown = one.kind !== 'never-kept'
  if (language === 'zh') return `- 第 ${one.line} 行${isShown ? ` ${toCode(one.text)}` : ''}：${inChinese(one)}`
  return `- Line ${one.line}${isShown ? `, ${toCode(one.text)}` : ''}: ${inEnglish(one)}`
}

function inEnglish(one: Fault | Misfit): string {
  switch (one.kind) {
    case 'no-item':
      return `it is no line such as \`- text\`. Put a hyphen and a space before it, with all of it on one line.${one.line === 1 ? ' (Discord’s own menu of commands drops line breaks: write it as a message.)' : ''}`
    case 'no-section':
      return 'it stands before the first section. Put a heading such as `## Facts` above it.'
    case 'unknown-section':
      return `there is no such section, and what stands in it was not read. The sections are ${names.join(', ')}.${one.line === 1 ? ' (Discord’s own menu of commands drops line breaks: write it as a message.)' : ''}`
    case 'no-text':
      return 'it says nothing. Write something there, or take the line away.'
    case 'bad-date':
      return 'there is no such day. Write it as `[2026-03-01]`, or leave it out.'
    case 'box-elsewhere':
      return 'boxes such as `[ ]` belong under `## Todos`. Move the line there, or take the box away.'
    case 'bad-mark':
      return 'the sign at its end is none of mine. Leave it out, and the line is matched by its words.'
    case 'bad-level':
      return 'the confidence is `low`, `medium` or `high`. I count it myself, so that you may leave the line out.'
    case 'no-pattern':
      return 'no pattern stands above it. Put it below its pattern, or take it away.'
    case 'unknown-below':
      return 'below a pattern stand only `confidence` and `evidence`. For a line of its own, do not set it in.'
    case 'second-end':
      return 'the last line of a file stands here a second time. Send one file at a time.'
    case 'twice':
      return `it stands in line ${one.first} already. Take one of them away.`
    case 'unknown-done':
      return 'I keep no such to-do, so that it cannot be done. Take the line away.'
    case 'too-long':
      return `it has ${one.text.length} characters, and one record keeps ${mostRecordChars}. Make it shorter, or split it.`
    case 'never-kept':
      return one.why.en
    default:
      return one satisfies never
  }
}

function inChinese(one: Fault | Misfit): string {
  switch (one.kind) {
    case 'no-item':
      return `不是 \`- 文字\` 这样的一行。请在前面加上短横和空格，每条写成一行。${one.line === 1 ? '（Discord 的命令菜单会去掉换行：请作为消息来写。）' : ''}`
    case 'no-section':
      return '写在了第一个小节之前。请在上面加上小节标题，例如 `## Facts`。'
    case 'unknown-section':
      return `没有这个小节，其中的内容没有读。可用的小节：${names.join('、')}。${one.line === 1 ? '（Discord 的命令菜单会去掉换行：请作为消息来写。）' : ''}`
    case 'no-text':
      return '这一行是空的。请写上内容，或删掉这一行。'
    case 'bad-date':
      return '没有这一天。请写成 `[2026-03-01]`，也可以不写。'
    case 'box-elsewhere':
      return '`[ ]` 这样的方框只用在 `## Todos` 里。请移过去，或去掉方框。'
    case 'bad-mark':
      return '行尾的记号不是我给出的。请去掉它，这一行就按文字对应。'
    case 'bad-level':
      return 'confidence 只能是 `low`、`medium` 或 `high`。它由我来数，也可以不写。'
    case 'no-pattern':
      return '上面没有它所属的模式。请放到那条下面，或删掉。'
    case 'unknown-below':
      return '一条模式下面只有 `confidence` 和 `evidence`。要单独成一条，请不要缩进。'
    case 'second-end':
      return '文件的最后一行在这里又出现了一次。请一次只发一份文件。'
    case 'twice':
      return `第 ${one.first} 行已经有了。请删掉其中一行。`
    case 'unknown-done':
      return '没有这条待办，不能算完成。请删掉这一行。'
    case 'too-long':
      return `这有 ${one.text.length} 个字符，一条最多记 ${mostRecordChars} 个。请缩短，或分成几条。`
    case 'never-kept':
      return one.why.zh
    default:
      return one satisfies never
  }
}

/** What was written, as code. */
function toCode(written: string): string {
  const line = written.replaceAll(/[`\s]+/g, ' ').trim()
  if (line === '') return '(…)'
  return `\`${line.length > mostQuotedChars ? `${line.slice(0, mostQuotedChars).toWellFormed()}…` : line}\``
}
