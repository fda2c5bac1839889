// Texts made to hold up a router, as message and as the bot's previous reply: others are answered meanwhile, and so is their sender.
import { expect, test } from 'vitest'
import { startFleet, type Telling } from '#test/rig/fleet.ts'

const from = (name: string): Telling => ({ conversation: `web:${name}`, principal: `web:${name}` })

test('no text holds up the router for others, or its sender for good', async () => {
  const logged: string[] = []
  await using fleet = await startFleet({
    env: { FLOTILLA_ALLOW: '*', FLOTILLA_LOG_LEVEL: 'warn' },
    onLog: (line) => logged.push(line),
  })
  fleet.model.script({
    when: { text: 'offer me something?' },
    answer: { kind: 'text', text: `${'to '.repeat(40)}?` },
  })
  const offer = await fleet.ask('offer me something?', from('offered'))
  expect(offer.text).toContain('to to to')

  const hostile = [
    fleet.ask(`你有${'哪个'.repeat(45)}`, from('mallory')),
    fleet.ask('be more '.repeat(40), from('moritz')),
    fleet.ask('ok', from('offered')),
  ]
  const others = ['Spain', 'France', 'Italy', '法国'].map((place, i) =>
    fleet.ask(`what is the capital of ${place}?`, from(`other-${i}`)),
  )
  await Promise.all([...others, ...hostile])
  expect(logged.filter((line) => line.includes('too long to classify'))).toEqual([])
}, 20_000)
