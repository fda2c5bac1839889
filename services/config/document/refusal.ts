// Why a pasted CONFIG.md changes nothing, line by line, in the person's language. What they typed is repeated as code, so that nothing in it reads as
// something else.
import type { Language } from '#shared/chat/message.ts'
import type { Fault } from './read-entries.ts'
import type { Misfit } from './setting-entries.ts'

/** What has more a person would not read at once. */
const mostShown = 10
const mostQuotedChars = 60

export function toRefusal(found: readonly (Fault | Misfit)[], language: Language): string {
  const isChinese = language === 'zh'
  const lines = found.slice(0, mostShown).map((one) => `- ${isChinese ? inChinese(one) : inEnglish(one)}`)
  const more = found.length - lines.length
  const rest = more > 0 ? [isChinese ? `- 还有 ${more} 处。` : `- And ${more} more.`] : []
  const [head, foot] = isChinese
    ? ['CONFIG.md 里有看不懂的地方，什么都没有改：', '`/config file` 给出现在的样子，可以照着改。']
    : ['Nothing was changed, since I do not understand all of this CONFIG.md:', '`/config file` shows it as it is now.']
  return [head, '', ...lines, ...rest, '', foot].join('\n')
}

function inEnglish(one: Fault | Misfit): string {
  const at = 'text' in one ? `Line ${one.line}, ${toCode(one.text)}` : `Line ${one.line}`
  switch (one.kind) {
    case 'no-heading':
      return `${at}: it has to be \`# CONFIG\`, alone in its line. (Discord’s own menu of commands drops line breaks: write it as a message.)`
    case 'no-entry':
      return `${at}: it is neither a section nor \`key: value\`.`
    case 'no-section':
      return `${at}: it stands before the first section, such as \`## Preferences\`.`
    case 'behind-value':
      return `${at}: something stands behind the value’s closing quotation mark.`
    case 'unknown-section':
      return `Line ${one.line}: there is no section ${toCode(one.section)}; what stands in it was not read.`
    case 'unknown-key':
      return `${at}: there is no setting ${toCode(one.key)} here.${one.nearest === undefined ? '' : ` Did you mean \`${one.nearest}\`?`}`
    case 'twice':
      return `${at}: ${toCode(one.key)} stands in line ${one.firstLine} already.`
    case 'elsewhere':
      return `${at}: \`${one.key}\` belongs under \`## ${one.section}\`.`
    case 'own':
      return `${at}: \`${one.key}\` is your own; it is set in the direct chat with me.`
    case 'wrong-value':
      return `${at}: \`${one.key}\` cannot be ${toCode(one.value)}; it is one of ${one.values.map(toCode).join(', ')}.`
    default:
      return one satisfies never
  }
}

function inChinese(one: Fault | Misfit): string {
  const at = 'text' in one ? `第 ${one.line} 行 ${toCode(one.text)}` : `第 ${one.line} 行`
  switch (one.kind) {
    case 'no-heading':
      return `${at}：应当是 \`# CONFIG\`，单独一行。（Discord 的命令菜单会去掉换行：请作为消息来写。）`
    case 'no-entry':
      return `${at}：既不是小节，也不是 \`键: 值\`。`
    case 'no-section':
      return `${at}：写在了第一个小节（例如 \`## Preferences\`）之前。`
    case 'behind-value':
      return `${at}：值的后引号后面还有东西。`
    case 'unknown-section':
      return `第 ${one.line} 行：没有小节 ${toCode(one.section)}，其中的内容没有读。`
    case 'unknown-key':
      return `${at}：这里没有设置 ${toCode(one.key)}。${one.nearest === undefined ? '' : `是不是 \`${one.nearest}\`？`}`
    case 'twice':
      return `${at}：${toCode(one.key)} 在第 ${one.firstLine} 行已经有了。`
    case 'elsewhere':
      return `${at}：\`${one.key}\` 应当在 \`## ${one.section}\` 之下。`
    case 'own':
      return `${at}：\`${one.key}\` 是你自己的设置，请在和我的单独聊天里设定。`
    case 'wrong-value':
      return `${at}：\`${one.key}\` 不能是 ${toCode(one.value)}，可以是 ${one.values.map(toCode).join('、')}。`
    default:
      return one satisfies never
  }
}

/** What was typed, as code. */
function toCode(typed: string): string {
  const line = typed.replaceAll(/[`\s]+/g, ' ').trim()
  if (line === '') return '(…)'
  return `\`${line.length > mostQuotedChars ? `${line.slice(0, mostQuotedChars).toWellFormed()}…` : line}\``
}
