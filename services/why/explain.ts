// The record of a turn, said in a few lines.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { PromptPart, TurnRecord } from '#shared/run/record.ts'

type About = {
  readonly language: Language
  /** Who asked reads it where nobody else does. */
  readonly isOwn: boolean
  /** What it cost, in micro-dollars. */
  readonly micros: number | undefined
  /** Which questions of the bot's it rests on; made inert by whoever tells it. */
  readonly answered: readonly string[]
}

export function explain(record: TurnRecord, { language, isOwn, micros, answered }: About): string {
  const lines = [
    toRoute(record, language),
    ...toPrompt(record, language),
    ...(isOwn ? record.context.map(({ name, reason }) => `  - \`${plain(name)}\`: ${plain(reason)}`) : []),
    ...answered.map((line) => `  - ${line}`),
    ...(record.taint?.length
      ? [`- ${said.others[language]}${colon[language]}${record.taint.map(plain).join(language === 'zh' ? '、' : ', ')}`]
      : []),
    ...toTools(record, language),
    ...(record.mark === undefined ? [] : [`- ${said.mark[language]}${colon[language]}${plain(record.mark)}`]),
    ...toEnding(record, language),
    toCost(record, language, micros),
  ]
  const asked = plain(withoutQuote(record.asked))
  const quoted =
    asked.length > mostAskedChars ? `${asked.slice(0, mostAskedChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : asked
  // What a button had done to an answer was asked of the model in words of the bot.
  const whose = record.last ? `${said.ownOrder[language]} ` : ''
  const of = isOwn && asked !== '' ? `${colon[language]}${whose}“${quoted}”` : ''
  return [`**${said.head[language]}**${of}`, lines.join('\n')].join('\n\n')
}

const mostAskedChars = 80
/** Before somebody's answer stands what the model had asked them, or the calls that it wanted approved: of that the answer is enough. */
const withoutQuote = (asked: string): string => asked.replace(/^(?:>[^\n]*\n)+/, '')
const colon: Localised = { zh: '：', en: ': ' }

const said = {
  head: { zh: '这个回答是怎么来的', en: 'How this answer came about' },
  again: { zh: '改写了前一个回答', en: 'it rewrote the answer before' },
  ownOrder: { zh: '你按了按钮，我就这样要求模型', en: 'you pressed a button, so I told the model' },
  onward: { zh: '接着前一个回答写', en: 'it went on with the answer before' },
  route: { zh: '我的判断', en: 'What I took it for' },
  complex: { zh: '复杂', en: 'complex' },
  rule: { zh: '规则', en: 'rule' },
  prompt: { zh: '给模型的内容（估计的 token 数）', en: 'What the model was given last, in estimated tokens' },
  left: { zh: '放不下', en: 'left out' },
  others: { zh: '读到了别人写的', en: 'It had read what others wrote' },
  tools: { zh: '工具', en: 'Tools' },
  failed: { zh: '失败', en: 'failed' },
  mark: { zh: '回答前注明了', en: 'What I put before the answer' },
  ended: { zh: '没有写完', en: 'It did not come to its end' },
  cost: { zh: '花费', en: 'Cost' },
  cached: { zh: '来自缓存', en: 'from the cache' },
} satisfies Record<string, Localised>

const types: Readonly<Record<TurnRecord['class']['type'], Localised>> = {
  social: { zh: '寒暄', en: 'social' },
  command: { zh: '指示', en: 'instruction' },
  meta: { zh: '关于我', en: 'about the bot' },
  query: { zh: '问题', en: 'question' },
  task: { zh: '任务', en: 'task' },
}
const depths: Readonly<Record<TurnRecord['class']['depth'], Localised>> = {
  light: { zh: '简短', en: 'light' },
  standard: { zh: '标准', en: 'standard' },
  deep: { zh: '深入', en: 'deep' },
}
/** Of the judgement of the question, not of the answer. */
const certainty: Readonly<Record<TurnRecord['class']['confidence'], Localised>> = {
  high: { zh: '明确', en: 'clear' },
  medium: { zh: '较明确', en: 'fairly clear' },
  low: { zh: '不明确', en: 'not clear' },
}
const parts: Readonly<Record<string, Localised>> = {
  system: { zh: '我的守则', en: 'my instructions' },
  tools: { zh: '工具', en: 'tools' },
  summary: { zh: '更早内容的摘要', en: 'a summary of what came before' },
  history: { zh: '历史', en: 'history' },
  turn: { zh: '这一问', en: 'this question' },
  state: { zh: '日期和设置', en: 'date and settings' },
  anchor: { zh: '任务和进度', en: 'the task and how far it is' },
}

const endings: Readonly<Record<string, Localised>> = {
  stopped: { zh: '有人让我停下', en: 'somebody stopped it' },
  suspended: { zh: '在等人回答', en: 'it waits for somebody’s answer' },
  'model-failed': { zh: '模型没有回答', en: 'the model did not answer' },
  'over-budget': { zh: '今天的额度用完了', en: 'today’s budget is used up' },
  'set-aside': { zh: '一再中断，放到一边了', en: 'it broke off again and again, and was set aside' },
  'limit:steps': { zh: '步数到了上限', en: 'it took as many steps as one answer may' },
  'limit:tool-calls': { zh: '工具用得太多', en: 'it used tools as often as one answer may' },
  'limit:tokens': { zh: 'token 用到了上限', en: 'it used as many tokens as one answer may' },
  'limit:money': { zh: '花费到了上限', en: 'it cost as much as one answer may' },
  'limit:wall-time': { zh: '时间到了上限', en: 'it took as long as one answer may' },
  'limit:identical-calls': { zh: '同一件事一再重复', en: 'it made the same call again and again' },
  'limit:malformed-calls': { zh: '工具调用一再写错', en: 'it wrote its calls of tools wrongly again and again' },
}

function toRoute({ class: found, last }: TurnRecord, language: Language): string {
  const { type, depth, complex, rule, confidence } = found
  const words = [types[type], depths[depth], ...(complex ? [said.complex] : []), certainty[confidence]]
  if (last) words.push(last === 'rewrite' ? said.again : said.onward)
  const text = words.map((word) => word[language]).join(' · ')
  return `- ${said.route[language]}${colon[language]}${text} · ${said.rule[language]} \`${plain(rule)}\``
}

function toPrompt({ held = [] }: TurnRecord, language: Language): string[] {
  if (held.length === 0) return []
  const sum = held.reduce((all, { tokens }) => all + tokens, 0)
  const each = held.map((part) => toPart(part, language)).join(language === 'zh' ? '、' : ', ')
  return [`- ${said.prompt[language]}${colon[language]}${sum} = ${each}`]
}

function toPart({ name, tokens, items, left }: PromptPart, language: Language): string {
  const title = parts[name]?.[language] ?? `\`${plain(name)}\``
  const notes = [
    ...(items === undefined ? [] : [toCount(name, items, language)]),
    ...(left === undefined ? [] : [`${said.left[language]} ${left}`]),
  ]
  if (notes.length === 0) return `${title} ${tokens}`
  return language === 'zh' ? `${title} ${tokens}（${notes.join('，')}）` : `${title} ${tokens} (${notes.join('; ')})`
}

function toCount(name: string, items: number, language: Language): string {
  if (language === 'zh') return name === 'tools' ? `${items} 个` : `${items} 条`
  return `${items} ${name === 'tools' ? 'tool' : 'message'}${items === 1 ? '' : 's'}`
}

function toEnding({ ending }: TurnRecord, language: Language): string[] {
  if (ending === 'answered') return []
  const told = endings[ending]?.[language] ?? `\`${plain(ending)}\``
  return [`- ${said.ended[language]}${colon[language]}${told}`]
}

function toTools({ tools }: TurnRecord, language: Language): string[] {
  if (tools.length === 0) return []
  const each = tools.map(({ name, ok }) => `\`${plain(name)}\` ${ok ? '✓' : said.failed[language]}`)
  return [`- ${said.tools[language]}${colon[language]}${each.join(language === 'zh' ? '、' : ', ')}`]
}

function toCost({ tokens, model }: TurnRecord, language: Language, micros: number | undefined): string {
  const words = [
    language === 'zh'
      ? `读 ${tokens.prompt}，写 ${tokens.completion} token`
      : `${tokens.prompt} tokens read, ${tokens.completion} written`,
    ...(tokens.cached === undefined ? [] : [`${tokens.cached} ${said.cached[language]}`]),
    ...(model === undefined ? [] : [`\`${plain(model)}\``]),
    ...(micros === undefined ? [] : [toDollars(micros)]),
  ]
  return `- ${said.cost[language]}${colon[language]}${words.join(' · ')}`
}

const toDollars = (micros: number): string => `$${(micros / 1_000_000).toFixed(micros < 10_000 ? 5 : 3)}`

/** Names of models, tools and parts, and reasons, come from outside: no sign of theirs is markup. Within backticks an underscore is none. */
const plain = (text: string): string => text.replaceAll(/[`*[\]<>\s]+/g, ' ').trim()
