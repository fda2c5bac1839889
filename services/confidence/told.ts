// What a person has told of themselves, out of what they said: statements, and neither questions nor requests. Pure.
import { fold } from './read-text.ts'

const mostChars = 2000
const mostFacts = 30
const ownWord = /我|咱|记住|(?<![a-z])(?:i|i'm|i've|my|our|we|remember|note that)(?![a-z])/u
const request =
  /[?]|吗|呢|什么|怎么|如何|为什么|哪|谁|几|多少|请|帮|给我|^(?:what|when|how|why|who|where|which|can|could|would|will|do|does|did|is|are|am|should|please|tell|show|give|write|find|explain)(?![a-z])/u

/** Sentences that may be relied on as the person's own word, newest last. */
export function toFacts(told: readonly string[]): readonly string[] {
  return told
    .flatMap((text) => fold(text.slice(0, mostChars)).match(/(?:[^。!?;\n.]|\.(?=\d)){2,300}[?]?/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => ownWord.test(sentence) && !request.test(sentence))
    .slice(-mostFacts)
}
