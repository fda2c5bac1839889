// Deciding under one watch: a text that takes too long, and one whose deciding fails, change nothing for those decided with them.
import { expect, test } from 'vitest'
import { boundDecide } from '#infra/processes/router.ts'
import type { Classify } from '#services/router/classify.ts'

/** Twice as long with each sign; with sixty it would not end in a lifetime. */
const runsAway = (): boolean => /^(?:a|a)*$/u.test(`${'a'.repeat(60)}!`)
const access = { owner: false, person: true, chat: false, mode: 'mention' } as const
const said = { v: 1, kind: 'message', conversation: 'web:a', principal: 'web:ada', at: 1, group: false } as const
const toInput = (text: string) => ({ access, event: { ...said, id: text, text, addressed: true } })

test('each of what is decided together gets its own decision, whatever the others are', async () => {
  const told: string[] = []
  const classify: Classify = ({ text }) => {
    if (text === 'broken') throw new TypeError('broken')
    return { type: 'query', depth: 'standard', complex: text === 'slow' && runsAway(), rule: text, confidence: 'high' }
  }
  const decide = boundDecide(classify, (what) => told.push(what), 50)
  const quick = await Promise.allSettled(['one', 'broken', 'two'].map((text) => decide(toInput(text))))
  expect(quick).toMatchObject([
    { value: { class: { rule: 'one' } } },
    { reason: expect.any(TypeError) },
    { value: { class: { rule: 'two' } } },
  ])
  expect(told).toEqual([])
  const texts = ['three', 'slow', 'broken', 'four']
  const mixed = await Promise.allSettled(texts.map((text) => decide(toInput(text))))
  expect(mixed).toMatchObject([
    { value: { class: { rule: 'three' } } },
    { value: { class: { rule: 'query.unread' } } },
    { reason: expect.any(TypeError) },
    { value: { class: { rule: 'four' } } },
  ])
  expect(told).toEqual([expect.stringContaining('4 characters')])
})
