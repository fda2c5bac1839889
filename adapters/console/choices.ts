// The buttons that were shown, by number. Numbers run through the whole talk, so that of an old button may still be typed.
import type { Button } from '#shared/chat/message.ts'

export type Choice = {
  readonly button: Button
  readonly row: string | undefined
  readonly asks: boolean
  /** Below an answer stand no choices that words could answer. */
  readonly isCard: boolean
  /** Its message has lost its buttons. */
  readonly gone: boolean
}

export type Choices = {
  /** How many there are: the next has the number after that. */
  count(): number
  add(buttons: readonly Button[], of: Pick<Choice, 'row' | 'asks' | 'isCard'>): void
  /** The message of this row has lost its buttons. */
  drop(row: string | undefined): void
  /** The message of this row has others in their places, which keep the numbers that are shown; where there are fewer, the last are gone. */
  change(row: string | undefined, buttons: readonly Button[]): void
  find(number: number): Choice | undefined
  /** The newest card that asks somebody, else the newest one that is open. */
  findCard(): Choice | undefined
  /** Those of a row's buttons, the first and the last. */
  numbersOf(row: string): readonly [number, number]
}

export function createChoices(): Choices {
  const choices: (Omit<Choice, 'gone'> & { gone: boolean })[] = []
  return {
    count: () => choices.length,
    add(buttons, of) {
      choices.push(...buttons.map((button) => ({ button, ...of, gone: false })))
    },
    drop(row) {
      for (const choice of choices) choice.gone ||= choice.row === row
    },
    change(row, buttons) {
      const own = choices.filter((one) => row !== undefined && one.row === row)
      for (const [at, choice] of own.entries()) {
        const button = buttons[at]
        if (button) Object.assign(choice, { button, gone: false })
        else choice.gone = true
      }
    },
    find: (number) => choices[number - 1],
    findCard: () =>
      choices.findLast(({ asks, gone }) => asks && !gone) ?? choices.findLast(({ isCard, gone }) => isCard && !gone),
    numbersOf: (row) => [
      choices.findIndex((one) => one.row === row) + 1,
      choices.findLastIndex((one) => one.row === row) + 1,
    ],
  }
}
