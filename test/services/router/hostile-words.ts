// Texts that repeat what the classifier's expressions repeat, over and over.
import { finishIn } from '#queues/finish-in.ts'
import { createClassifier } from '#services/router/classify.ts'
import { defaultRouting } from '#services/router/patterns.ts'
import { attacksOn } from '#test/architecture/patterns/attack-texts.ts'
import { buildRouterPatterns } from '#test/architecture/patterns/router-patterns.ts'

/** A thousand times what such a text takes, so that a busy machine does not matter. */
const mostMs = 2000
/** More than the classifier looks at of any text. */
const mostChars = 4096

/** Each of these once took hours. */
const known = [
  ['你有', '哪个'],
  ['你有', '我的'],
  ['', 'be more '],
  ['', 'to '],
  ['', '你的'],
  ['', '333'],
  ['thanks for ', 'a'],
] as const

type Word = readonly [lead: string, pump: string]

/** Each group of the router's expressions that is repeated, with what may lead to it. */
export async function findRepeated(): Promise<readonly Word[]> {
  const attacks = (await buildRouterPatterns()).flatMap((pattern) => attacksOn(pattern))
  return [...new Map(attacks.map(({ lead, pump }) => [`${lead} ${pump}`, [lead, pump] as const])).values()]
}

/** Of these words, and of those that were slow once: fifty times behind all that may lead to it, and as long as a message can be. */
export function toTexts(repeated: readonly Word[]): readonly string[] {
  const words: readonly Word[] = [...known, ...repeated]
  return [
    ...words.map(([lead, pump]) => `${lead}${pump.repeat(50)}zz`),
    ...new Map(
      words.map(([lead, pump]) => [pump, `${lead}${pump.repeat(Math.ceil(mostChars / pump.length))}猫`]),
    ).values(),
  ]
}

export const inputs = [
  ['a message', (text: string) => ({ text })],
  ['the previous reply', (text: string) => ({ text: 'ok', previousReply: `${text}?` })],
] as const

/** The first text that takes long to classify. */
export function findSlowText(texts: readonly string[], toInput: (typeof inputs)[number][1]): string | undefined {
  const classify = createClassifier(defaultRouting)
  return texts.find((text) => finishIn(mostMs, () => classify(toInput(text))) === undefined)
}
