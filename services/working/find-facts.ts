// What people say of themselves and their work, word for word: "我住在柏林", "my name is Ada", "remember that we ship on Friday". Rules only: what
// they do not know is left out, and what is kept is a quotation, so that it says nothing that nobody said.
import { asks, toExcerpt, toSentences } from './excerpt.ts'

const mostChars = 100
const mostOfTurn = 3
const headChars = 2000
const mostSentences = 40

const lead = /^(?:另外|还有|对了|顺便说?|补充一下|also|and|by the way|btw|oh)[\s,，、:：]+/iu
const stated = [
  /^(?:请|麻烦|帮我)?(?:你)?(?:记住|记下|记一下|别忘了)/u,
  /^(?:please )?(?:remember|note|keep in mind)\b(?: that\b)?/iu,
  /^(?:我|我们|咱们)(?:的[^，,。\s]{1,20}?)?(?:叫|是|在|住|用|喜欢|不喜欢|讨厌|偏好|更喜欢|习惯|决定|打算|负责|不吃|不喝|有)/u,
  /^(?:my|our) [\p{L}\p{N} '’-]{1,40} (?:is|are|was|were)\b/iu,
  /^(?:i|we)(?:['’]m|['’]re| am| are| was| were| like| love| prefer| hate| dislike| use| live| work| decided| never| always| don['’]t (?:like|use|eat|drink))\b/iu,
]
/** They begin like a statement and ask for something. */
const wants = [
  /^(?:我|我们|咱们)(?:是想|是说|是问|是不是|在想|在问|在找|有个?(?:问题|疑问)|有点)/u,
  /^(?:i|we)(?:['’]m| am|['’]re| are| was| were) (?:looking|trying|wondering|asking|not sure|unsure|curious|going to ask|sorry|stuck|confused)\b/iu,
]
const isQuestion = (sentence: string): boolean => asks(sentence) || /[吗呢么嘛][。.!！~]?$/u.test(sentence)

/** Whether a sentence states something about its speaker, and asks for nothing. */
export const states = (sentence: string): boolean =>
  stated.some((rule) => rule.test(sentence)) && !wants.some((rule) => rule.test(sentence)) && !isQuestion(sentence)

/** The newest last. */
export function findFacts(asked: string): readonly string[] {
  return toSentences(asked.slice(0, headChars))
    .slice(0, mostSentences)
    .map((sentence) => sentence.replace(lead, ''))
    .filter(states)
    .slice(-mostOfTurn)
    .map((sentence) => toExcerpt(sentence.replace(/[。.；;]$/u, ''), mostChars))
}
