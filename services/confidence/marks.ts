// The marks as people read them, and how they are found where the model wrote them itself: our own, and those that the prompt tells it to write.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Refused } from '#shared/run/approval.ts'
import type { UsedTool } from './tool-outcome.ts'

/** Seed 000 §3.2.3; an answer of high confidence has none. */
export const doubts: Readonly<Record<'medium' | 'low', Localised>> = {
  medium: { zh: '（基于现有信息的最佳判断）', en: '(My best judgement from what I know)' },
  low: { zh: '（对此不太确定，建议验证）', en: '(I am not sure about this; please verify)' },
}

const mostReadChars = 2000
const toolName = /^[\w-]{1,64}$/u

/** A tool failed, and the answer says that it is done (threat T27). The name of a tool may be the model's invention. */
export function toFailureMark({ name, refused }: UsedTool, language: Language): string {
  const known = toolName.test(name)
  if (refused)
    return toRefusalMark(known ? `\`${name}\`` : { zh: '一个工具', en: 'a tool' }[language], refused, language)
  if (language === 'zh') return `（没有做成：${known ? `\`${name}\`` : '一个工具'}失败了，请不要当作已经完成）`
  return `(Not done: ${known ? `\`${name}\`` : 'a tool'} failed, so please do not rely on it)`
}

/** Nothing failed: the call was not made. */
function toRefusalMark(tool: string, { why, againInMs }: Refused, language: Language): string {
  const minutes = againInMs === undefined ? undefined : Math.ceil(againInMs / 60_000)
  if (language === 'zh') {
    const again = minutes === undefined ? '请不要当作已经完成' : `${minutes} 分钟后可以再提`
    const said = {
      denied: `刚刚有人拒绝了 ${tool}`,
      'too-often': `${tool} 请求批准的次数太多了`,
      rules: `${tool} 在这里不允许`,
    }
    return `（没有做成：${said[why]}，${again}）`
  }
  const again =
    minutes === undefined ? 'please do not rely on it' : `ask again in ${minutes} minute${minutes === 1 ? '' : 's'}`
  const said = {
    denied: 'was refused, since somebody has just denied exactly this',
    'too-often': 'was refused, since approvals were asked for too often',
    rules: 'was refused, since it is not allowed here',
  }
  return `(Not done: ${tool} ${said[why]}; ${again})`
}

const reminding =
  /提醒|闹钟|定时|叫(?:我|你)|喊(?:我|你)|倒计时|(?<![a-z])(?:remind|wake|nudge|ping|buzz|alarm|timer|let me forget)/iu

/** The answer says that something was or will be done, and no tool did it. */
export function toUndoneMark(
  { question, answer }: { readonly question: string; readonly answer: string },
  language: Language,
): string {
  if (reminding.test(question.slice(0, mostReadChars)) || reminding.test(answer.slice(0, mostReadChars)))
    return {
      zh: '（没有设提醒：写 `/remind 5分钟后 喝茶` 这样的一行就会设上）',
      en: '(No reminder was set: a line such as `/remind in 5 minutes drink tea` sets one)',
    }[language]
  return {
    zh: '（没有做成：没有用工具做这件事，请不要当作已经完成）',
    en: '(Not done: no tool did this, so please do not rely on it)',
  }[language]
}

/** The words within a mark's brackets. */
const words = [
  '(?:这是)?基于现有信息的最佳判断[。.]?',
  '对此不太确定[，,] ?建议验证[。.]?',
  '没有设提醒：[^（）()\\n]{1,120}',
  'No reminder was set: [^()\\n]{1,160}',
  'Not done: no tool did this, so please do not rely on it',
  '没有做成：[^（）()\\n]{1,120}(?:失败了，请不要当作已经完成|，请不要当作已经完成|，\\d{1,3} 分钟后可以再提)',
  '(?:This is )?(?:my |the |a )?best (?:judge?ment|guess)(?: (?:from|based on|given|on)[^()\\n]{1,60})?[.]?',
  "(?:I['’]?m |I am )?(?:not (?:very |entirely |quite |so |too )?(?:sure|certain)|unsure) about this[^()\\n]{0,60}",
  'Not done: [^()\\n]{1,80} (?:failed, so please do not rely on it|was refused, since [^()\\n]{1,120})',
].join('|')
/** One that stands in quotation marks or in code is spoken of. */
const mark = `(?<![“"「『\`])[*_]{0,3}[（(](?:${words})[）)][*_]{0,3}`
const ownLine = new RegExp(`^[ \\t]{0,8}${mark}[ \\t]{0,8}(?:\\n[ \\t]{0,8}){0,3}`, 'gimu')
const within = new RegExp(` ?${mark}`, 'giu')
/** For the search for slow ones. */
export const patterns = [ownLine, within]

/** What the model begins to write as a mark. */
const beginnings = [
  '这是基于现有信息的最佳判断',
  '基于现有信息的最佳判断',
  '对此不太确定，建议验证',
  '对此不太确定,建议验证',
  'this is my best judgement',
  'this is the best judgement',
  'my best judgement from what i know',
  'best judgement based on',
  'i am not sure about this; please verify',
  "i'm not sure about this",
  'not sure about this',
]
const mostBegun = 60

/** The text without marks, and without one that is only begun at its end. */
export function unmark(text: string): string {
  if (!/[（(]/.test(text)) return text
  const left = text.replace(ownLine, '').replace(within, '')
  const begun = Math.max(left.lastIndexOf('（'), left.lastIndexOf('('))
  const last = left.slice(begun + 1).toLowerCase()
  const isBegun =
    begun >= 0 && last.length > 1 && last.length < mostBegun && beginnings.some((one) => one.startsWith(last))
  return isBegun ? left.slice(0, begun).trimEnd() : left
}
