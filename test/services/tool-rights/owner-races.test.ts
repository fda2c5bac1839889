// An owner presses in their direct chat, for a member, in the moment in which the card is over: what is made, what the card says and what the member
// is told are one end (faults.md row 39).
import { expect, test } from 'vitest'
import { cardWords } from '#services/tool-rights/card-words.ts'
import { bob, openShop, pay, textsOf, type Shop } from './approval-stage.ts'

const dayMs = 86_400_000
const races = 300
/** In both chats; the group's clock is that of the store. */
const pass = async (shop: Shop, ms: number): Promise<string> =>
  (await shop.group.wait(ms)) + (await shop.direct.wait(ms))

test(
  'an owner’s press and the deadline in one moment, three hundred times: made once where the press won, and never else',
  { timeout: 60_000 },
  async () => {
    let won = 0
    for (let n = 0; n < races; n++) {
      const shop = openShop()
      shop.group.answers({ toolCalls: [pay('a')] }, 'Bought.')
      await shop.group.ask('Buy it', { principal: bob, group: true, name: 'Bob' })
      await shop.settle()
      await pass(shop, dayMs - (n % 40))
      const acts = [() => shop.direct.press('Approve once'), () => pass(shop, (n % 40) >> 1)]
      const told = await Promise.all((n % 4 < 2 ? acts : acts.toReversed()).map((act) => act()))
      await pass(shop, 10)
      for (let look = 0; look < 2; look++) {
        await shop.settle()
        const isWon = !told.some((text) => /^(UNKNOWN|ALREADY|STALE|FORBIDDEN)$/.test(text))
        won += isWon && look === 0 ? 1 : 0
        const card = (await textsOf(shop.direct)).join('\n')
        const home = await textsOf(shop.group)
        const count = (text: string): number => home.filter((one) => one.includes(text)).length
        const ends = [
          shop.made.length,
          count('Bought.'),
          count('The owner did not answer in time, so I did not do it.'),
        ]
        const said = [card.includes(cardWords.en.passedOn), card.includes(cardWords.en.silent)]
        expect({ ends, said }, `race ${n}`).toEqual(
          isWon ? { ends: [1, 1, 0], said: [true, false] } : { ends: [0, 0, 1], said: [false, true] },
        )
        // Nor does anything come of it later.
        await pass(shop, dayMs)
      }
    }
    expect(won).toBeGreaterThan(0)
    expect(won).toBeLessThan(races)
  },
)
