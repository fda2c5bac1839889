// What the bot asked at the end of an answer: the questions of its last paragraph. A closing courtesy ("anything else?") asks nothing.
import { asks, toExcerpt, toSentences } from './excerpt.ts'

const mostChars = 120
const mostQuestions = 3
const tailChars = 800
const courtesy =
  /anything else|something else|more questions|help you (?:with|today)|还有(?:什么|其他|其它|别的|问题)|还需要(?:什么|其他|别的)|其他(?:问题|需要)/iu

export function findQuestions(answer: string): readonly string[] {
  const end = answer.trimEnd()
  const tail = end.slice(-tailChars)
  const paragraph = tail.slice(tail.lastIndexOf('\n\n') + 1)
  return toSentences(paragraph)
    .filter((sentence) => asks(sentence) && !courtesy.test(sentence))
    .slice(-mostQuestions)
    .map((sentence) => toExcerpt(sentence, mostChars))
}
