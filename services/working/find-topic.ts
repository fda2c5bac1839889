// What a message is about, as far as its own words say it: its first sentence that does not only tell something, without the courtesy around it. Rules
// only.
import type { Classification } from '#shared/chat/decision.ts'
import { toExcerpt, toSentences } from './excerpt.ts'
import { states } from './find-facts.ts'

const mostTopicChars = 60
const mostGoalChars = 100
/** What is asked stands at the beginning, as a rule. */
const headChars = 1000

/** The courtesy before a request, each once. */
const frames = [
  /^(?:hi|hey|hello|ok|okay|so|well|now|thanks|thank you|please)(?=[\s,.!:]|$)[\s,.!:]*/iu,
  /^(?:can|could|would|will) you (?:please )?(?=\S)/iu,
  /^(?:help me (?:to )?|i want (?:you )?to |i(?:'d|’d| would) like (?:you )?to |tell me )(?=\S)/iu,
  /^(?:你好|您好|嗨|好的|谢谢)[\s,，。!！:：、]*/u,
  /^(?:请问|麻烦你?|劳驾|请(?=[你帮给替把]))[\s,，:：]*/u,
  /^(?:你?能不能|你?可不可以|能否|可否|你能|你可以|我想(?:让|请)你|我需要你)(?=\S)/u,
  /^你?(?:帮忙|帮我|给我|替我)(?=\S)/u,
]
/** Answers to what the bot asked or offered: they go on with what it was about. */
const goesOn = /^(?:offer\.|task\.proceed$)/u

/** `goal`: work that was asked for; `topic`: what else was asked. Neither for what goes on with what was said before. */
export function findTopic(asked: string, { type, rule }: Classification): { goal?: string; topic?: string } {
  if (goesOn.test(rule)) return {}
  const sentences = toSentences(asked.slice(0, headChars))
  const said = (some: readonly string[]): string | undefined => some.map(unframe).find((text) => text.length > 1)
  const first = said(sentences.filter((sentence) => !states(sentence))) ?? said(sentences)
  if (first === undefined) return {}
  return type === 'task' ? { goal: toExcerpt(first, mostGoalChars) } : { topic: toExcerpt(first, mostTopicChars) }
}

export const toTopic = (goal: string): string => toExcerpt(goal, mostTopicChars)

/** Signs that end a sentence and say nothing. */
const tail = new Set('.。!！;；,，:：~')

function unframe(sentence: string): string {
  let text = sentence
  for (const frame of frames) text = text.replace(frame, '')
  while (tail.has(text.at(-1) ?? '')) text = text.slice(0, -1)
  return text.trim()
}
