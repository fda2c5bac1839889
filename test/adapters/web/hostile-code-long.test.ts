// Every language of the page with every opening sign: an answer within its bound, never a thread that dies.
import { common } from 'lowlight'
import { expect, test } from 'vitest'
import { openBlockReader } from '#adapters/web/open-block-reader.ts'
import { openings, toCode } from './hostile-code.ts'

test.each(Object.keys(common))('code in %s that only opens is always shown', { timeout: 300_000 }, async (language) => {
  const said: string[] = []
  const reader = openBlockReader({ say: (text) => said.push(text) })
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
