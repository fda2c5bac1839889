// Features are measured: whichever of their functions holds the process up is named, and every function does what it did.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { watchFeature } from '#infra/processes/watch-feature.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import type { Feature } from '#shared/feature/feature.ts'

type Functions = Record<string, (...given: unknown[]) => unknown>

/** A feature each of whose functions does this, by their names. */
function featureOf(work: () => unknown): Feature {
  const rule = { answer: work, expired: work, due: work, came: work }
  const named = { name: 'one', help: { en: '', zh: '' }, run: work, give: work }
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
    slice: { schema: z.unknown(), fresh: undefined, fold: work },
  }
  return all as unknown as Feature
}

function functionsOf({ commands, tools, context, questions, timers, letters, ...rest }: Feature): Functions {
  const all = {
    'command one': commands?.[0]?.run,
    'tool one': tools?.[0]?.run,
    'context one': context?.[0]?.give,
    'answer q': questions?.['q']?.answer,
    'expired q': questions?.['q']?.expired,
    'timer t': timers?.['t']?.due,
    'letter l': letters?.['l']?.came,
    prefers: rest.prefers,
    edited: rest.edited,
    under: rest.under,
    ended: rest.ended,
    slice: rest.slice?.fold,
  }
  return all as unknown as Functions
}

test('each function that holds the process up is named, also where it throws', () => {
  let nowMs = 0
  for (const fails of [false, true]) {
    const told: string[] = []
    const feature = featureOf(() => {
      nowMs += 201
      if (fails) throw new Error('own')
      return 'done'
    })
    const watched = watchFeature(
      feature,
      (name, what) => told.push(`${name}: ${what}`),
      () => nowMs,
    )
    for (const [what, call] of Object.entries(functionsOf(watched))) {
      if (fails) expect(() => call()).toThrow('own')
      else expect(call()).toBe('done')
      expect(told.pop()).toBe(`slow: ${what}`)
    }
  }
})

test('one that waits holds nobody up, and neither does one that is quick', async () => {
  const told: string[] = []
  const watched = watchFeature(
    featureOf(async () => await sleep(250, 'done')),
    (name, what) => told.push(`${name}: ${what}`),
  )
  expect(await Promise.all(Object.values(functionsOf(watched)).map(async (call) => await call()))).toContain('done')
  expect(told).toEqual([])
})

test('what a feature brings stays the same', () => {
  const watched = watchFeature(sampleFeature, () => {})
  expect(Object.keys(watched).toSorted()).toEqual(Object.keys(sampleFeature).toSorted())
  expect(JSON.stringify(watched)).toBe(JSON.stringify(sampleFeature))
})
