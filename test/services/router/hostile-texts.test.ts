// No text makes the classifier take long: whatever its expressions repeat is said over and over, as message and as the bot's reply.
import { expect, test } from 'vitest'
import { finishIn } from '#queues/finish-in.ts'
import { createClassifier } from '#services/router/classify.ts'
import { defaultRouting } from '#services/router/patterns.ts'
import { attacksOn } from '#test/architecture/patterns/attack-texts.ts'
import { buildRouterPatterns } from '#test/architecture/patterns/router-patterns.ts'

/** A thousand times what such a text takes, so that a busy machine does not matter. */
const mostMs = 2000
/** More than the classifier looks at of any text. */
const mostChars = 4096

const patterns = await buildRouterPatterns()
const classify = createClassifier(defaultRouting)

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
const built = new Map(
  patterns.flatMap((pattern) => attacksOn(pattern)).map(({ lead, pump }) => [`${lead} ${pump}`, [lead, pump] as const]),
)
const words = [...known, ...built.values()]

/** Fifty times behind all that may lead to it, and as long as a message can be. */
const texts = [
  ...words.map(([lead, pump]) => `${lead}${pump.repeat(50)}zz`),
  ...new Map(
    words.map(([lead, pump]) => [pump, `${lead}${pump.repeat(Math.ceil(mostChars / pump.length))}猫`]),
  ).values(),
]

test('sees every group that is repeated, in both languages', () => {
  const pumps = new Set([...built.values()].map(([, pump]) => pump))
  for (const one of ['哪', '我', '都', 'more ', 'be ', 'to', ' please']) expect(pumps, one).toContain(one)
})

test.each([
  ['a message', (text: string) => ({ text })],
  ['the previous reply', (text: string) => ({ text: 'ok', previousReply: `${text}?` })],
] as const)(
  'a word over and over is classified at once as %s',
  (_, toInput) => {
    expect(texts.find((text) => finishIn(mostMs, () => classify(toInput(text))) === undefined)).toBeUndefined()
  },
  120_000,
)
