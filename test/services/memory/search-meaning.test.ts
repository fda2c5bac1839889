// What is near is measured by what is unrelated: models whose numbers all lie close together, or that know one language alone.
import { expect, test } from 'vitest'
import { createMeaning, dot, type Embedder } from '#services/memory/search/meaning.ts'
import { createTwinEmbedder } from '#test/twins/memory-search.ts'

const { signal } = new AbortController()

/** Vectors of the twin, each changed. */
function changed(change: (values: Float32Array, text: string) => Float32Array): Embedder {
  const { model, embed } = createTwinEmbedder()
  return {
    model,
    async embed(texts) {
      const made = await embed(texts, signal)
      return made.map((values, at) => values && toUnit(change(values, texts[at] ?? '')))
    },
  }
}
function toUnit(values: Float32Array): Float32Array {
  const length = Math.hypot(...values)
  return values.map((one) => one / length)
}

async function isNear(embedder: Embedder, question: string, statement: string): Promise<boolean> {
  const meaning = createMeaning({ embedder, weight: 0.7, nowMs: Date.now })
  const { values, floor } = await meaning.ask(question, signal)
  const [other] = await meaning.embed([statement], signal)
  return other !== undefined && dot(values, other) > floor
}

test('a model that puts everything close together still tells what is near', async () => {
  const close = changed((values) => values.map((one, at) => (at === 0 ? one : one * 0.5) + (at === 1000 ? 2 : 0)))
  expect(await isNear(close, 'Where is my home?', 'Ann lives in Lyon')).toBe(true)
  expect(await isNear(close, 'Where is my home?', 'The invoice is paid')).toBe(false)
})

test('a model that knows no Chinese finds nothing by it, and English as before', async () => {
  const english = changed((values, text) =>
    /\p{Script=Han}/u.test(text) ? values.map((_, at) => (at === 900 ? 1 : 0)) : values,
  )
  expect(await isNear(english, '我的家在哪里？', '我的狗叫旺财')).toBe(false)
  expect(await isNear(english, 'Where is my home?', 'Ann lives in Lyon')).toBe(true)
})

test('asks no more than sixty-four questions at once', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { model, embed } = createTwinEmbedder()
  const slow: Embedder = {
    model,
    async embed(texts) {
      if (texts.length === 1) await gate
      return await embed(texts, signal)
    },
  }
  const meaning = createMeaning({ embedder: slow, weight: 0.7, nowMs: Date.now })
  const asked = Array.from({ length: 66 }, async (_, n) => await meaning.ask(`boat ${n}`, signal))
  const results = Promise.allSettled(asked)
  await expect(asked[65]).rejects.toMatchObject({ code: 'model' })
  open()
  expect((await results).filter(({ status }) => status === 'fulfilled')).toHaveLength(64)
})
