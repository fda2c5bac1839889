// The page on questions and approvals says what the cards say, by the same words and numbers, is short, and is found from both READMEs.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { heads } from '#shared/feature/card-words.ts'
import { cardWords } from '#services/tool-rights/card-words.ts'
import { cardLivesMs } from '#services/tool-rights/pending.ts'
import { mostPatterns, patternLivesMs } from '#services/tool-rights/patterns.ts'
import { mostCardsAnHour, mostToOwnerAnHour } from '#services/tool-rights/slice.ts'
import { buttonWords, dateForms } from '#services/questions/words.ts'

const hourMs = 3_600_000
const page = (await readFile('infra/docs/questions.md', 'utf8')).replaceAll(/\s+/g, ' ')

test('it names cards, buttons and forms as people see them', () => {
  const { buttons, head, headOfLost } = cardWords.en
  const named = [heads.choice.en, heads.knowledge.en, heads.action.en, heads.recovery.en, head(1), headOfLost]
  for (const name of [...named, buttons.once, buttons.deny, buttons.always, buttonWords.en.decide])
    expect(page).toContain(`_${name}_`)
  for (const form of dateForms.en) expect(page).toContain(`\`${form}\``)
})

test('its numbers are those that hold', () => {
  expect([cardLivesMs / hourMs, patternLivesMs / hourMs / 24, mostPatterns]).toEqual([24, 30, 20])
  for (const part of ['24 hours: it is denied', 'ends after thirty days', 'A chat has twenty of them at most'])
    expect(page).toContain(part)
  expect(page).toContain(
    `${mostCardsAnHour} approvals an hour for one requester (${mostToOwnerAnHour} of them to an owner)`,
  )
})

test('it is short, and both READMEs lead to it', async () => {
  expect((await readFile('infra/docs/questions.md', 'utf8')).split('\n').length).toBeLessThanOrEqual(81)
  for (const readme of ['README.md', 'README.zh.md'])
    expect(await readFile(readme, 'utf8')).toContain('(infra/docs/questions.md)')
})
