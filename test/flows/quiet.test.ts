// The kill switch for what acts by itself, on a real Redis: from five seconds after an owner has said /quiet on no model is asked but for people, also
// for what was due, queued or running; and all of it comes, once, when that is lifted.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'

/** A command arms timers, and each begins a turn that works for long. */
const waker: Feature = {
  name: 'waker',
  commands: [
    {
      name: 'wake',
      help: { zh: '叫醒', en: 'wake' },
      run: async ({ args }) =>
        args
          .split(' ')
          .map(
            (inMs, n) => ({ kind: 'timer', timer: 'due', key: `${n}`, inMs: Number(inMs), payload: `${n}` }) as const,
          ),
    },
  ],
  tools: [
    {
      name: 'dig',
      description: 'Digs.',
      parameters: { type: 'object', properties: { n: { type: 'number' } } },
      effect: 'read',
      onCrash: 'rerun',
      run: async () => ({ text: 'dug', source: 'own' }),
    },
  ],
  timers: {
    due: {
      due: async ({ event, conversation }) => [{ kind: 'turn', text: `Woken ${conversation} ${event.payload}.` }],
    },
  },
}

const rooms = Array.from({ length: 12 }, (_, n) => `web:quiet-${n}`)
/** Some go off before it is said, some right after, and some while nothing may. */
const due = [200, 1500, 4000]

const requests = ({ model }: Fleet): number => model.ledger.entries.length
/** What somebody or a timer said last. */
const askedBy = (messages: readonly { readonly role: string; readonly content?: unknown }[]): string =>
  JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? '')
const wokenOf = (messages: Parameters<typeof askedBy>[0]): string =>
  /Woken web:quiet-\d+ \d/.exec(askedBy(messages))?.[0] ?? ''
const wokenIn = ({ model }: Fleet): ReadonlySet<string> =>
  new Set(model.ledger.entries.map(({ messages }) => wokenOf(messages)).filter(Boolean))

test(
  'nothing is asked by itself after five seconds, people are answered, and nothing is lost',
  { timeout: 90_000 },
  async () => {
    await using fleet = await startFleet({ features: [waker] })
    await fleet.startExecutor()
    let n = 0
    fleet.model.decideBy(({ messages }) => {
      if (wokenOf(messages) === '' || isOver) return undefined
      return { answer: { kind: 'tools', calls: [{ name: 'dig', arguments: `{"n":${n++}}` }] }, latencyMs: 300 }
    })
    let isOver = false
    for (const conversation of rooms) await fleet.tell(`/wake ${due.join(' ')}`, { slash: 'wake', conversation })
    await until(() => wokenIn(fleet).size >= 6)
    expect((await fleet.ask('/quiet on', { slash: 'quiet' })).text).toContain('I do nothing by myself')
    await sleep(5000)
    const before = requests(fleet)
    expect(before).toBeGreaterThan(6)
    await sleep(4000)
    expect(requests(fleet)).toBe(before)

    expect((await fleet.ask('What is a lease?', { conversation: rooms[0] ?? '' })).text).not.toBe('')
    expect(requests(fleet)).toBe(before + 1)
    const woken = wokenIn(fleet)
    expect(woken.size).toBeLessThan(rooms.length * due.length)

    isOver = true
    await fleet.ask('/quiet off', { slash: 'quiet' })
    await until(() => wokenIn(fleet).size === rooms.length * due.length)
    await sleep(2000)
    // Those that had not begun come once each.
    for (const { messages } of fleet.model.ledger.entries.slice(before + 1))
      expect(woken).not.toContain(wokenOf(messages))
    expect(requests(fleet)).toBe(before + 1 + rooms.length * due.length - woken.size)
    expect((await fleet.ask('/quiet', { slash: 'quiet' })).text).toContain('I act by myself')
  },
)

test('only an owner may say it', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const who = { principal: 'web:bob', conversation: 'web:bob' }
  expect((await fleet.ask('/quiet on', { slash: 'quiet', ...who })).text).toBe('Only an owner can change that.')
  expect(await fleet.runtime.quiet.isQuiet()).toBe(false)
})
