// `curiosity`: what replies cost while turns are looked through in the background. Five turns a second, each with something that the bot did not know, with the
// workers `reflection` and `curiosity` beside, and without them, in turns.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import { percentile, toFigure } from './figures.ts'
import type { LoadResult } from './load.ts'
import type { Place } from './place.ts'

const ratePerS = 5
/** So many make one call of the model that reads turns. */
const perConversation = 3
const warmUp = 10
const startMs = 5000

const answer = 'An agenda. I planned 50 minutes because I do not know how long the slot is.'
const found = {
  needed: ['how long the slot is'],
  ask: [
    {
      question: 'How many chairs does the room of the retro have?',
      to: 'The person',
      kind: 'words',
      quote: 'I planned 50 minutes because I do not know how long the slot is.',
      why: 'the plan rests on it',
      assumed: 'the slot is 50 minutes long',
      answers: [
        { answer: '30', changes: 'a plan of 30 minutes' },
        { answer: '90', changes: 'a plan of 90 minutes' },
      ],
      key: 'retro slot length',
    },
  ],
}
const rules = [
  { when: { text: 'You look back at a conversation' }, answer: { kind: 'text', text: JSON.stringify(found) } },
  { when: { text: 'of SPEAKER' }, answer: { kind: 'text', text: '{"entities":[]}' } },
  { answer: { kind: 'text', text: answer } },
]

/** `turns`: of each run. Throws where nothing was read in the background, since then nothing was measured. */
export async function measureCuriosity(
  place: Place,
  { turns, pairs }: { readonly turns: number; readonly pairs: number },
) {
  await place.scriptModel(rules)
  const fleet = await place.startFleet(['router', 'executor'])
  const load = await place.startLoad()
  const runs: { readonly without: LoadResult; readonly busy: LoadResult; readonly calls: number }[] = []
  await run(load, { label: 'warm', turns: warmUp })
  for (let n = 0; n < pairs; n++) {
    await place.clear()
    const without = await run(load, { label: `w${n}`, turns })
    await place.clear()
    const readers = await place.startFleet(['reflection', 'curiosity'])
    // What starts counts for nobody.
    await sleep(startMs)
    await run(load, { label: `s${n}`, turns: warmUp })
    const busy = await run(load, { label: `b${n}`, turns })
    const calls = Number(await place.redis.hget('fl:{reading}', 'asked'))
    await readers.stop()
    if (!(calls > 0)) throw new Error('No turn was read in the background.')
    runs.push({ without, busy, calls })
  }
  for (const child of [fleet, load]) await child.stop()
  const at = (side: 'without' | 'busy', percent: number) =>
    toFigure(runs.map((one) => percentile(one[side].latenciesMs, percent)))
  const ratio = (percent: number) =>
    toFigure(
      runs.map((one) => percentile(one.busy.latenciesMs, percent) / percentile(one.without.latenciesMs, percent)),
    )
  return {
    lightP50Ratio: ratio(50).median,
    lightP99Ratio: ratio(99).median,
    lightP50Ratios: ratio(50),
    lightP99Ratios: ratio(99),
    p50Ms: at('busy', 50),
    p99Ms: at('busy', 99),
    withoutP50Ms: at('without', 50),
    withoutP99Ms: at('without', 99),
    calls: toFigure(runs.map(({ calls }) => calls)),
    turns,
    pairs,
  }
}

async function run(
  load: Child,
  { label, turns }: { readonly label: string; readonly turns: number },
): Promise<LoadResult> {
  const conversations = Math.ceil(turns / perConversation)
  const result = await load.ask<LoadResult>({
    side: 'fleet',
    label,
    conversations,
    perConversation,
    ratePerS,
    atOnce: 1,
  })
  await sleep(1000)
  return result
}
