// What a session of 120 turns costs and still knows (`npm run -s bench -- --only prompt`).
import { expect, test } from 'vitest'
import { measurePrompts } from '#test/bench/prompt.ts'

test(
  'a long session keeps the beginning of its prompts, costs little and loses nothing that was said',
  { timeout: 60_000 },
  async () => {
    // In smaller windows the state stands before the turn (decision 070), so that the beginning of a prompt does not last.
    const figures = await measurePrompts(33_000)
    expect(figures.compactions).toBeGreaterThanOrEqual(2)
    expect(figures.broken).toBe(0)
    expect(figures.prefixShare).toBeGreaterThanOrEqual(0.8)
    expect(figures.tailShare).toBeLessThanOrEqual(0.25)
    expect(figures.vsNaive).toBeLessThanOrEqual(0.55)
    expect(figures.factsKept).toBeGreaterThanOrEqual(16)
  },
)
