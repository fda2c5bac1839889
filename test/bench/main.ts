// `npm run -s bench -- --json [--only spread|burst|light|roundTrips|wide|memory|scale|claim|delivery|model|timers|questions|letters|records|prompt|context|gateway|cost|slots|recall|curiosity] [--quick]`: the fleet against a
// bare BullMQ baseline in the same run. With --json nothing but the result goes to stdout.
import { parseArgs } from 'node:util'
import { exitOnSignal } from '#test/rig/exit-on-signal.ts'
import { measureClaim } from './claim.ts'
import { measureCost, toMarkdown } from './cost.ts'
import { measureCrowd } from './crowd.ts'
import { measureCuriosity } from './curiosity.ts'
import { measureDelivery, type DeliverySize } from './delivery.ts'
import { openPlace, type Place } from './place.ts'
import { measureRest } from './rest.ts'
import { measureContext, measureGateway } from './gateway.ts'
import { measurePrompts } from './prompt.ts'
import { measureSlots } from './slots.ts'
import { measureScale } from './scale.ts'
import { measureWaiters } from './waiters.ts'
import { measureLetters } from './letters.ts'
import { measureRecords } from './records.ts'
import { measureRecall } from './recall.ts'
import { measureQuestions, measureTimers } from './waiting.ts'
import { measureFlood, measureLight, openSides, type Size } from './throughput.ts'

const parts = [
  'spread',
  'burst',
  'light',
  'roundTrips',
  'wide',
  'memory',
  'scale',
  'claim',
  'delivery',
  'model',
  'timers',
  'questions',
  'letters',
  'records',
  'prompt',
  'context',
  'gateway',
  'cost',
  'slots',
  'recall',
  'curiosity',
] as const
type Part = (typeof parts)[number]

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const unknown = values.only.filter((name) => !parts.some((part) => part === name))
if (unknown.length > 0) {
  process.stderr.write(`There is no part "${unknown.join(', ')}". Parts: ${parts.join(', ')}.\n`)
  process.exit(2)
}
const size: Size & { readonly delivery: DeliverySize } = values.quick
  ? { runs: 3, messages: 3000, warmUp: 3000, light: 250, delivery: { texts: 1000, light: 200 } }
  : { runs: 5, messages: 20_000, warmUp: 6000, light: 500, delivery: { texts: 4000, light: 600 } }
const wanted = (...names: readonly Part[]): boolean =>
  values.only.length === 0 || names.some((name) => values.only.includes(name))

exitOnSignal()
const place = await openPlace()
const result: Record<string, unknown> = {}
try {
  await measure(place)
  if (values.json) process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`)
} finally {
  await place.close()
}

/** Without --json each part is written as soon as it is known: all of them take a quarter of an hour. */
function report(part: Part, figures: object): void {
  result[part] = figures
  if (!values.json) process.stdout.write(toLines(part, figures))
}

async function measure(at: Place): Promise<void> {
  if (wanted('spread', 'burst', 'light', 'roundTrips')) {
    const sides = await openSides(at)
    const spread = wanted('spread', 'roundTrips')
      ? await measureFlood(at, sides, { size, perConversation: 1 })
      : undefined
    const burst = wanted('burst') ? await measureFlood(at, sides, { size, perConversation: 20 }) : undefined
    const light = wanted('light', 'roundTrips') ? await measureLight(at, sides, size) : undefined
    for (const side of Object.values(sides)) await side.stop()
    if (spread && wanted('spread')) report('spread', spread)
    if (burst) report('burst', burst)
    if (light && wanted('light')) report('light', light)
    if (wanted('roundTrips')) {
      report('roundTrips', { saturated: spread?.roundTrips.median, light: light?.roundTrips.median })
    }
  }
  if (wanted('wide', 'memory')) {
    const { wide, memory } = await measureCrowd(at, values.quick ? 2 : 3)
    if (wanted('wide')) report('wide', wide)
    if (wanted('memory')) report('memory', { ...memory, ...(await measureRest(at)) })
  }
  if (wanted('scale')) report('scale', await measureScale(at, size))
  if (wanted('delivery')) report('delivery', await measureDelivery(at, size.delivery))
  if (wanted('claim')) report('claim', await measureClaim(at.url, values.quick ? 2000 : 10_000))
  if (wanted('timers')) report('timers', await measureTimers(at.url, values.quick ? 2000 : 10_000))
  if (wanted('questions'))
    report('questions', await measureQuestions(at.url, values.quick ? 10_000 : 100_000, values.quick ? 1000 : 5000))
  if (wanted('letters')) report('letters', await measureLetters(at.url, values.quick ? 10_000 : 100_000))
  if (wanted('records')) report('records', await measureRecords(at.url, values.quick ? 4000 : 10_000))
  if (wanted('prompt')) report('prompt', await measurePrompts(32_000))
  if (wanted('context')) report('context', measureContext())
  if (wanted('gateway')) report('gateway', await measureGateway(at.url))
  if (wanted('cost')) {
    const cost = await measureCost(
      at,
      values.quick ? { saturated: 3000, light: 500 } : { saturated: 12_000, light: 1500 },
    )
    if (values.json) result['cost'] = cost
    else process.stdout.write(toMarkdown(cost))
  }
  if (wanted('slots')) report('slots', await measureSlots(at, { conversations: values.quick ? 2000 : 10_000 }))
  if (wanted('recall')) {
    const all = values.quick
      ? { records: 10_000, scopes: 100, queries: 200, turns: 60 }
      : { records: 100_000, scopes: 1000, queries: 2000, turns: 200 }
    report('recall', await measureRecall(all))
  }
  if (wanted('curiosity'))
    report('curiosity', await measureCuriosity(at, { turns: values.quick ? 150 : 600, pairs: 3 }))
  if (wanted('model')) report('model', await measureWaiters(at.url, 3000))
}

function toLines(part: Part, figures: object): string {
  const lines = Object.entries(figures).map(([name, figure]) => `  ${name.padEnd(26)} ${JSON.stringify(figure)}`)
  return `${[part, ...lines].join('\n')}\n`
}
