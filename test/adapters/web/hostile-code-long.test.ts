// Every language of the page with every opening sign: an answer within its bound, never a thread that dies. And many texts that take as long as one may.
import { common } from 'lowlight'
import { expect, test } from 'vitest'
import { openBlockReader } from '#adapters/web/open-block-reader.ts'
import { mostOneMs } from '#adapters/web/reading-time.ts'
import { openings, toCode } from './hostile-code.ts'

test.each(Object.keys(common))('code in %s that only opens is always shown', { timeout: 300_000 }, async (language) => {
  const said: string[] = []
  const reader = openBlockReader({ say: (text) => said.push(text), time: { next: () => mostOneMs, took() {} } })
  try {
    for (const opening of openings) {
      const startedMs = performance.now()
      const code = toCode(language, opening)
      // A text that would be too deep a tree is one paragraph as it stands.
      const [block] = await reader.read(code)
      expect(['code', 'paragraph'], opening).toContain(block?.kind)
      expect(JSON.stringify(block).length, opening).toBeGreaterThan(code.length / 2)
      expect(performance.now() - startedMs, opening).toBeLessThan(3000)
    }
    expect(said).toEqual([])
  } finally {
    await reader.close()
  }
})

test(
  'forty texts that take as long as one may are all shown in the time of a few, and others are read beside them',
  { timeout: 120_000 },
  async () => {
    const reader = openBlockReader()
    const toHostile = (i: number): string => `${i} ${'`~~'.repeat(20_000)}`
    const plain = (text: string) => [{ kind: 'paragraph', phrases: [text] }]
    const timed = async (texts: readonly string[]): Promise<number> => {
      const startedMs = performance.now()
      const read = await Promise.all(texts.map((text) => reader.read(text)))
      expect(read).toEqual(texts.map(plain))
      return performance.now() - startedMs
    }
    try {
      expect(await reader.read('# begun')).toMatchObject([{ kind: 'heading' }])
      const oneMs = await timed([toHostile(0)])
      const allMs = await timed(Array.from({ length: 40 }, (_, i) => toHostile(i + 1)))
      expect(allMs).toBeLessThan(20 * oneMs)
      expect(await reader.read('# after them')).toMatchObject([{ kind: 'heading' }])
    } finally {
      await reader.close()
    }
  },
)
