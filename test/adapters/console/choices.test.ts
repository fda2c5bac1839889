// Numbers that stand on a screen keep their meaning: a card that changes has its buttons anew, and who typed the old number means the same.
import { expect, test } from 'vitest'
import { createChoices } from '#adapters/console/choices.ts'

const of = { row: 'card', asks: true, isCard: true }

test('the buttons of a card that changes keep the numbers that are shown, and those that go are gone', () => {
  const choices = createChoices()
  choices.add([{ id: 'a.stop', label: 'Stop' }], of)
  choices.add([{ id: 'b.yes', label: 'Yes' }], { ...of, row: 'other' })
  choices.change('card', [{ id: 'c.stop', label: 'Stop' }])
  expect(choices.find(1)).toMatchObject({ button: { id: 'c.stop' }, gone: false })
  expect(choices.find(2)).toMatchObject({ button: { id: 'b.yes' }, gone: false })
  expect(choices.count()).toBe(2)
  choices.change('card', [])
  expect([choices.find(1)?.gone, choices.find(2)?.gone]).toEqual([true, false])
})
