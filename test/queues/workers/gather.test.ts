// Facts about what is held back until its sender has finished, and for how long. The clock is the test's.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import { createGathering } from '#queues/workers/gather.ts'
import { overheard } from '#test/rig/events.ts'

const place = 'telegram:-1'

function rig() {
  let nowMs = 10_000
  let timers: { readonly atMs: number; readonly callback: () => void }[] = []
  let looks = 0
  const inbox: QueuedEvent[] = []
  const gathering = createGathering({
    now: () => nowMs,
    again: () => void (looks += 1),
    later(ms, callback) {
      const timer = { atMs: nowMs + ms, callback }
      timers.push(timer)
      return () => void (timers = timers.filter((one) => one !== timer))
    },
  })
  let seq = 0
  return {
    gathering,
    looks: () => looks,
    timers: () => timers.length,
    say(more: Partial<MessageEvent> = {}) {
      seq += 1
      const at = Math.floor(nowMs / 1000) * 1000
      const event = overheard({ id: `m${seq}`, conversation: place, at, addressed: true, ...more })
      inbox.push({ seq, event })
    },
    ready: () => gathering.ready(place, inbox),
    /** What is ready leaves the inbox. */
    route() {
      return inbox.splice(0, gathering.ready(place, inbox)).length
    },
    pass(ms: number) {
      nowMs += ms
      for (const timer of timers.filter((one) => one.atMs <= nowMs)) {
        timers = timers.filter((one) => one !== timer)
        timer.callback()
      }
    },
  }
}
const direct = { group: false, conversation: 'telegram:7' }

test.each([
  ['an ordinary direct message', direct],
  ['a command in a group', { command: { name: 'status', args: '' } }],
])('%s does not wait', (_, more) => {
  const { say, ready, timers } = rig()
  say(more)
  expect(ready()).toBe(1)
  expect(timers()).toBe(0)
})

test.each([
  ['a message in a group', {}],
  ['a part of an album', { ...direct, album: 'a' }],
  ['a text as long as clients cut it', { ...direct, text: 'x'.repeat(4096) }],
  ['a comment whose forward may follow', { ...direct, unfinished: true }],
  ['a forward', { ...direct, text: '', quoted: [{ how: 'forward', text: 'x' }] }],
] satisfies [string, Partial<MessageEvent>][])(
  '%s waits 800 ms for more of its sender, and is then looked at again',
  (_, more) => {
    const { say, ready, pass, looks } = rig()
    say(more)
    expect(ready()).toBe(0)
    pass(799)
    expect(ready()).toBe(0)
    pass(1)
    expect(looks()).toBe(1)
    expect(ready()).toBe(1)
  },
)

test('each further message of the same person begins the 800 ms anew', () => {
  const { say, ready, pass } = rig()
  say()
  ready()
  pass(700)
  say()
  expect(ready()).toBe(0)
  pass(700)
  expect(ready()).toBe(0)
  pass(100)
  expect(ready()).toBe(2)
})

test('who never stops is heard after 2.4 s', () => {
  const { say, ready, pass } = rig()
  for (let i = 0; i < 6; i++) {
    say()
    expect(ready()).toBe(0)
    pass(400)
  }
  expect(ready()).toBeGreaterThan(0)
})

test('what one person writes is not torn apart by another who writes in between', () => {
  const { say, route, pass } = rig()
  say()
  route()
  pass(300)
  say({ principal: 'telegram:8' })
  say()
  route()
  pass(300)
  say({ principal: 'telegram:8' })
  expect(route()).toBe(0)
  pass(500)
  // The first person is quiet for 800 ms, the second one is not: both of the first's messages wait for it.
  expect(route()).toBe(0)
  pass(300)
  expect(route()).toBe(4)
})

test('a person who keeps writing holds up others for 2.4 s at most', () => {
  const { say, route, pass } = rig()
  let routed = 0
  say({ principal: 'telegram:8' })
  say({ principal: 'telegram:9' })
  for (let i = 0; i < 7; i++) {
    say({ principal: 'telegram:8' })
    routed += route()
    pass(400)
  }
  routed += route()
  expect(routed).toBeGreaterThanOrEqual(2)
})

test('a command of the same person ends the wait', () => {
  const { say, ready } = rig()
  say()
  say({ command: { name: 'stop', args: '' } })
  expect(ready()).toBe(2)
})

test('keeps no timer for what was routed, here or elsewhere', () => {
  const { say, route, gathering, timers } = rig()
  say()
  route()
  expect(timers()).toBe(1)
  gathering.ready(place, [])
  expect(timers()).toBe(0)
})

test('tells what it held back when it ends, and has it looked at no more', () => {
  const { say, ready, gathering, timers } = rig()
  say()
  ready()
  expect(gathering.close()).toEqual([place])
  expect(timers()).toBe(0)
  expect(gathering.close()).toEqual([])
})
