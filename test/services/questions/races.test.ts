// A choice is pressed in the moment in which its deadline passes: the turn goes on once, with what the card says (faults.md row 39).
import { expect, test } from 'vitest'
import { asks, hourMs, openQuestions } from './question-stage.ts'

const races = 300
const choice = {
  kind: 'choice',
  question: 'Which hotel?',
  options: [{ label: 'Adler' }, { label: 'Krone' }],
  otherwise: 'Adler.',
  deadline_hours: 1,
}

test(
  'a press and the deadline in one moment, three hundred times: one turn goes on, with the answer or with the fallback',
  { timeout: 60_000 },
  async () => {
    let won = 0
    // So long before the deadline the press begins, ms: longer after one that was lost, shorter after one that won, so both happen on any machine.
    let leadMs = 1
    for (let n = 0; n < races; n++) {
      const { stage, texts } = openQuestions()
      stage.answers(asks(choice), 'Booked.')
      await stage.ask('Plan my trip to Bonn')
      await stage.wait(hourMs - leadMs)
      const acts = [() => stage.press('Krone'), () => stage.wait(n % 2)]
      const told = await Promise.all((n % 4 < 2 ? acts : acts.toReversed()).map((act) => act()))
      await stage.wait(10)
      await stage.wait(hourMs)
      const isWon = !told.some((text) => /^(UNKNOWN|ALREADY|STALE|FORBIDDEN)$/.test(text))
      won += isWon ? 1 : 0
      leadMs = Math.max(0, leadMs + (isWon ? -1 : 1))
      const all = await texts()
      const count = (text: string): number => all.filter((one) => one.includes(text)).length
      expect([count('Chosen by you: Krone'), count('Nobody answered in time.'), count('Booked.')], `race ${n}`).toEqual(
        isWon ? [1, 0, 1] : [0, 1, 1],
      )
      // The turn that asked, and the one that went on.
      expect(stage.requests).toHaveLength(2)
      const prompt = stage.requests.at(-1)?.messages.at(-1)?.content ?? ''
      expect([prompt.includes('→ Krone'), prompt.includes('Nobody answered in time')]).toEqual([isWon, !isWon])
    }
    expect(won).toBeGreaterThan(races / 10)
    expect(won).toBeLessThan(races * 0.9)
  },
)
