// The rules of the demo model: the first that fits a message answers it. Plain patterns, no state, no randomness.
import { evaluate, findExpression, formatNumber } from './demo-arithmetic.ts'
import { tellDoubts } from './demo-doubts.ts'
import { findFact } from './demo-facts.ts'
import { writeLongText } from './demo-long-text.ts'
import { lengthenText, shortenText } from './demo-rewrite.ts'
import type { DemoTurn } from './demo-turn.ts'

type Rule = (asked: string, turn: DemoTurn, maxTokens: number) => string | undefined

/** What every answer begins with. */
export const notice = { zh: '（离线演示模型）', en: '(offline demo model) ' } as const
const withoutNotice = (reply: string): string =>
  Object.values(notice).reduce(
    (text, one) => (text.startsWith(one.trim()) ? text.slice(one.trim().length).trim() : text),
    reply,
  )

const offerGoOn = { zh: '要我继续吗？', en: 'Shall I go on?' } as const
const offerLong = {
  zh: '要我写一篇长文，演示流式输出吗？',
  en: 'Shall I write a long answer to show streaming?',
} as const
const offers = [offerGoOn.zh, offerGoOn.en, offerLong.zh, offerLong.en]
const agrees =
  /^\s*(好的?|行|可以|嗯|要|继续|请继续|是的?|没问题|ok(ay)?|yes|yep|sure|go on|go ahead|continue|please do|please)[\s,，.。!！~]*$/i
const maxCount = 200
const maxLongTokens = 1500

/** The seconds somebody asks to wait, up to 600. */
export function findWait(text: string): number | undefined {
  const found =
    /(?:等待?|睡|暂停)\s*(?:一下\s*)?(\d{1,4}(?:\.\d+)?)\s*(秒|分钟)/.exec(text) ??
    /\b(?:wait|sleep|pause)\s+(?:for\s+)?(\d{1,4}(?:\.\d+)?)\s*(s|secs?|seconds?|m|mins?|minutes?)\b/i.exec(text)
  if (!found) return undefined
  const factor = /^(分|m)/i.test(found[2] ?? '') ? 60 : 1
  return Math.min(600, Number(found[1]) * factor)
}

/** The answer to one message, without the notice of being offline. */
export function answerMessage(asked: string, turn: DemoTurn, maxTokens: number): string {
  for (const rule of rules) {
    const answer = rule(asked, turn, maxTokens)
    if (answer !== undefined) return answer
  }
  return turn.language === 'zh'
    ? `收到：“${quote(asked)}”。这要真正的模型来回答；我按规则工作，只会演示。现在就能用的：\`/remind 5分钟后 喝茶\`、\`/zone Asia/Shanghai\`、\`/task 分三步写一份指南\`、“问我一个问题”、“安排一次会议”。要真正的回答，只差一步：把 \`OPENAI_API_KEY=…\` 写进本目录的 \`.env\`，再启动我。`
    : `I got “${quote(asked)}”. That takes a real model; I work by rules and only demonstrate. What works now: \`/remind in 5 minutes drink tea\`, \`/zone Europe/Berlin\`, \`/task write a guide in three parts\`, “ask me something”, and “plan a meeting”. For a real answer there is one thing to do: put \`OPENAI_API_KEY=…\` into the file \`.env\` of this folder and start me again.`
}

export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line
}

const elsewhere =
  /\b(?:time|date|day)(?: is it)?(?: now)? in (?!the |my )[a-z]|(?<!现在|今天|请问|知道|告诉|北京)(?!现在|今天|请问|知道|告诉)\p{Script=Han}{2}(?:的)?(?:时间|现在)?(?:是)?几点/iu

const rules: readonly Rule[] = [
  // What the buttons Shorter and Longer ask of a model.
  (asked, { language, previousReply }) => {
    const [, en, zh] =
      /^(?:Rewrite your last answer (shorter|longer)|请把你上一个回答改写得更(短|详细))/.exec(asked) ?? []
    if (!en && !zh) return undefined
    if (!previousReply) return language === 'zh' ? '还没有可以改写的回答。' : 'There is no answer to rewrite yet.'
    const text = withoutNotice(previousReply)
    return en === 'shorter' || zh === '短' ? shortenText(text) : lengthenText(text, language)
  },
  // The offer of the reply before, taken up.
  (asked, turn, maxTokens) => {
    if (!agrees.test(asked) || !turn.previousReply) return undefined
    const { language } = turn
    const part = /第 (\d+) 部分|Part (\d+):/.exec(turn.previousReply)
    const next = part ? Number(part[1] ?? part[2]) + 1 : 1
    return offers.some((offer) => turn.previousReply?.includes(offer))
      ? longAnswer(language, next, maxTokens)
      : undefined
  },
  (asked, { language }, maxTokens) =>
    /长文|长一点的|长篇|写一篇|详细(说明|介绍)|\blong (answer|text|reply|story)\b|\bessay\b/i.test(asked)
      ? longAnswer(language, 1, maxTokens)
      : undefined,
  (asked, { language }) => {
    if (
      !/你(能|会|可以)(做|干)?(什么|啥)|有(什么|哪些)功能|你会什么|what (can|do) (you|i) do|what is possible|features?\b|^\s*(help|帮助)\W*$/i.test(
        asked,
      )
    ) {
      return undefined
    }
    return language === 'zh'
      ? `我能打招呼、复述（“复述 你好”）、数数（“数到 10”）、算术（“12*(3+4)”）、报时、记得上一句（“我刚才说了什么”）、等待（“等 5 秒”）、提问（“问我一个问题”）、请你批准（“演示批准”）、把没把握的事攒起来问你（“安排一次会议”）、排版（“格式示例”）和写长文。设置 OPENAI_API_KEY 就会换成真正的模型。${offerLong.zh}`
      : `I greet, echo (“echo hello”), count (“count to 10”), do sums (“12*(3+4)”), tell the time, recall (“what did I say?”), wait (“wait 5 seconds”), ask you (“ask me something”, “show me an approval”), collect what I am not sure of and ask you later (“plan a meeting”), format (“show markdown”) and write long answers. Set OPENAI_API_KEY for a real model. ${offerLong.en}`
  },
  (asked) => {
    const found =
      /^\s*(?:请?(?:复述|重复|跟我说)|echo|repeat|say)(?:一下|一遍| after me)?(?:\s*[:：,，])?\s*(?!\s)([^]+)/i.exec(
        asked,
      )
    return found?.[1]?.trim() || undefined
  },
  (asked) => {
    const found = /(?:数到|数数到|count (?:up )?to)\s*(\d{1,6})/i.exec(asked)
    if (!found) return undefined
    const last = Math.min(maxCount, Number(found[1]))
    return Array.from({ length: last }, (_, index) => index + 1).join(' ')
  },
  (asked, { language, clock }) => {
    if (
      !/几点|时间是|现在.{0,4}时间|今天(是)?(几号|星期|周几)|what time|what('s| is) the (time|date)|what day/i.test(
        asked,
      )
    ) {
      return undefined
    }
    // The clock is that of this place.
    if (elsewhere.test(asked)) return undefined
    if (language === 'zh') return clock ? `现在是 ${clock}。` : '提示里没有时钟，所以我不知道现在几点。'
    return clock ? `It is ${clock}.` : 'The prompt has no clock, so I do not know the time.'
  },
  (asked, { language }) => {
    const expression = findExpression(asked)
    const value = expression === undefined ? undefined : evaluate(expression)
    if (expression === undefined || value === undefined) return undefined
    if (Number.isFinite(value)) return `${expression} = ${formatNumber(value)}`
    return language === 'zh' ? `${expression}：不能除以零。` : `${expression}: one cannot divide by zero.`
  },
  (asked, { language, previousAsked }) => {
    if (!/我(刚才|刚刚|之前|上次)?(都)?说(了|过)?(什么|啥)|what did i (just )?(say|ask)/i.test(asked)) return undefined
    if (language === 'zh') return previousAsked ? `你上一句说的是：“${quote(previousAsked)}”。` : '这是你的第一句话。'
    return previousAsked ? `You said “${quote(previousAsked)}”.` : 'This is your first message.'
  },
  (asked, { language }) => {
    if (!/格式|排版|markdown|formatting/i.test(asked)) return undefined
    const title = language === 'zh' ? '格式示例' : 'A sample of formatting'
    return `## ${title}\n\n**bold**, *italic*, \`code\`, [link](https://example.com)\n\n- one\n- two\n\n\`\`\`js\nconsole.log('hello')\n\`\`\``
  },
  tellDoubts,
  (asked, { language }) => findFact(asked, language),
  (asked, { language }) => {
    if (
      !/^\s*(你好|您好|嗨|哈喽|早上?好|晚上好|大家好|在吗|hi|hello|hey|good (morning|evening|afternoon))(?![a-z])/i.test(
        asked,
      )
    ) {
      return undefined
    }
    return language === 'zh'
      ? '你好！有什么想试的？可以说“你能做什么”。'
      : 'Hello! What would you like to try? Ask me “what can you do?”.'
  },
  (asked, { language }) => {
    if (!/谢谢|多谢|感谢|\bthank(s| you)\b/i.test(asked)) return undefined
    return language === 'zh' ? '不客气。' : 'You are welcome.'
  },
]

function longAnswer(language: DemoTurn['language'], part: number, maxTokens: number): string {
  // Room for the notice and the offer, so that the limit cuts neither.
  const text = writeLongText(language, part, Math.min(maxLongTokens, maxTokens) - 60)
  return `${text}\n\n${offerGoOn[language]}`
}
