// Each function of a feature has a name among what is under way, and does what it did.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { watchFeature } from '#infra/processes/watch-feature.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import type { Feature } from '#shared/feature/feature.ts'

type Functions = Record<string, (...given: unknown[]) => unknown>

/** A feature each of whose functions does this, by their names. */
function featureOf(work: () => unknown): Feature {
  const rule = { answer: work, expired: work, due: work, came: work }
  const named = { name: 'one', help: { en: '', zh: '' }, run: work, give: work, take: work }
  const all = {
    name: 'slow',
    commands: [named],
    tools: [named],
    context: [named],
    questions: { q: rule },
    timers: { t: rule },
    letters: { l: rule },
    prefers: work,
    edited: work,
    under: work,
    ended: work,
    after: [named],
    slice: { schema: z.unknown(), fresh: undefined, fold: work },
  }
  return all as unknown as Feature
}

function functionsOf({ commands, tools, context, questions, timers, letters, ...rest }: Feature): Functions {
  const all = {
    'command one': commands?.[0]?.run,
    'tool one': (typeof tools === 'function' ? tools() : tools)?.[0]?.run,
    'context one': context?.[0]?.give,
    'answer q': questions?.['q']?.answer,
    'expired q': questions?.['q']?.expired,
    'timer t': timers?.['t']?.due,
    'letter l': letters?.['l']?.came,
    prefers: rest.prefers,
    edited: rest.edited,
    under: rest.under,
    ended: rest.ended,
    'projection one': rest.after?.[0]?.take,
    slice: rest.slice?.fold,
  }
  return all as unknown as Functions
}

test('each function is under way by its name, also where it throws', () => {
  for (const fails of [false, true]) {
    const told: string[] = []
    const feature = featureOf(() => {
      if (fails) throw new Error('own')
      return 'done'
    })
    const watched = watchFeature(feature, {
      during(name, work) {
        told.push(name)
        return work()
      },
    })
    for (const [what, call] of Object.entries(functionsOf(watched))) {
      if (fails) expect(() => call()).toThrow('own')
      else expect(call()).toBe('done')
      expect(told.pop()).toBe(`${what} of slow`)
    }
  }
})

test('what a feature brings stays the same', () => {
  const watched = watchFeature(sampleFeature, { during: (_, work) => work() })
  expect(Object.keys(watched).toSorted()).toEqual(Object.keys(sampleFeature).toSorted())
  expect(JSON.stringify(watched)).toBe(JSON.stringify(sampleFeature))
})
