// A router's decisions come from a thread of its own, by the operator's rules; what is late there is decided without being read.
import { expect, onTestFinished, test } from 'vitest'
import { openDecider } from '#infra/processes/router.ts'
import { routingConfig } from '#services/router/patterns.ts'
import { message } from '#test/rig/events.ts'

const access = { owner: false, person: true, chat: false, mode: 'mention' } as const
const toInput = (text: string) => ({ access, event: message({ id: text.slice(0, 20), text }) })

const opened = (mostMs?: number) => {
  const told: unknown[] = []
  const routing = routingConfig.parse({ social: ['moin'] })
  const decider = openDecider(routing, (what, about) => told.push(what, about), mostMs)
  onTestFinished(() => decider.close())
  return { decider, told }
}

test('decides by the rules it is given', async () => {
  const { decider, told } = opened()
  const texts = ['moin', 'what is a tide?', 'stop', 'write a report about the harbour']
  expect(await Promise.all(texts.map((text) => decider.decide(toInput(text))))).toMatchObject([
    { act: 'ack', rule: 'social.whole' },
    { act: 'turn', class: { type: 'query' } },
    { act: 'command', command: { name: 'stop' } },
    { act: 'turn', class: { type: 'task' } },
  ])
  expect(told).toEqual([])
})

test('takes for an ordinary question what is late, and tells the operator which event it was', async () => {
  const { decider, told } = opened(0)
  const texts = Array.from({ length: 3 }, (_, n) => `number ${n} `.padEnd(4000, 'write a report, please. '))
  const decisions = await Promise.all(texts.map((text) => decider.decide(toInput(text))))
  const late = decisions.flatMap(({ act, rule }, n) => (rule === 'query.unread' ? [{ act, n }] : []))
  expect(late.length).toBeGreaterThan(0)
  expect(new Set(late.map(({ act }) => act))).toEqual(new Set(['turn']))
  const what = 'An event took too long to decide, twice. It is routed without being read.'
  expect(told).toEqual(late.flatMap(({ n }) => [what, texts[n]?.slice(0, 20)]))
})
