// Runs one action on the real kernel and on its twin, in a conversation and two tasks of it, and compares the answers and all that can be read then.
import { expect } from 'vitest'
import { isTask, toTask, type Address } from '#shared/chat/address.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Question } from '#shared/run/question.ts'
import type { Append, Cancel, Claimed, QueuedEvent, Timer } from '#shared/run/step.ts'
import type { BeginResult, Kernel, Outcome } from '#queues/kernel/kernel.ts'
import { toPartition } from '#queues/partition.ts'
import type { KernelBench, RedisBench } from '#test/rig/kernel-bench.ts'
import { anonymous, answer } from './compared.ts'
import {
  answerEvent,
  artifact,
  askedQuestion,
  deletion,
  entry,
  messageEvent,
  row,
  sender,
  signalTo,
  ttlMs,
  turnDecision,
} from './kernel-fixtures.ts'

/** `at`: 0 is the conversation, 1 and 2 are tasks of it. */
export type TaskAction =
  | { do: 'work'; at: number; owner: number; shape: TaskShape; twice: boolean; lets: 'go' | 'keep' }
  | { do: 'say'; message: number; who: number; stops: boolean; answers: number | undefined }
  | { do: 'press'; pick: number; who: number; press: number; twice: boolean }
  | { do: 'deliver'; outcome: number }
  | { do: 'forget'; message: number }
  | { do: 'park' | 'unpark' | 'replay'; at: number }
  | { do: 'erase' | 'fire' | 'carry' }
  | { do: 'die' | 'revive'; owner: number }
  | { do: 'advance'; steps: number }

export type TaskShape = {
  readonly consume: number
  readonly aside: boolean
  readonly rows: number
  readonly ask: 'none' | 'deadline' | 'topic'
  readonly timer: boolean
  readonly letter: boolean
  readonly tells: readonly { readonly at: number; readonly begins: boolean; readonly stops: boolean }[]
  readonly drops: readonly number[]
  readonly keeps: readonly number[]
  readonly unkeeps: readonly number[]
  readonly cancel: 'none' | 'all' | 'asker' | 'topic'
  readonly folds: boolean
  readonly release: boolean
  readonly unlessStopped: boolean
  readonly about: number
}

const people = ['telegram:1', 'telegram:2'] as const
/** No multiple of it comes near a length of time the kernel knows. */
const tickMs = 3100
const toRunner = (owner: number): string => `@p${owner}/w`

export function createTaskWorld(real: RedisBench, twin: KernelBench, home: string) {
  const places: readonly Address[] = [home, toTask(home, 1), toTask(home, 2)]
  const at = (place: number): Address => places[place] ?? home
  const questions: Question[] = []
  const rows: { real: string; twin: string }[] = []
  let count = 0
  const next = (): number => (count += 1)
  const both = async <T>(call: (kernel: Kernel) => Promise<T>, twice = false) => {
    const first = await answer(call(real.kernel))
    const last = twice ? await answer(call(real.kernel)) : first
    return { first, last, wanted: await answer(call(twin.kernel)) }
  }
  const same = async (call: (kernel: Kernel) => Promise<unknown>, twice = false): Promise<void> => {
    const { first, wanted } = await both(call, twice)
    expect(first).toEqual(wanted)
  }

  async function work({ at: place, owner, shape, twice, lets }: Extract<TaskAction, { do: 'work' }>): Promise<void> {
    const address = at(place)
    const { first, wanted } = await both((kernel) => kernel.claim(address, toRunner(owner), ttlMs))
    if (first.kind !== 'CLAIMED' || wanted.kind !== 'CLAIMED') return expect(first).toEqual(wanted)
    expect(plain(first)).toEqual(plain(wanted))
    const step = toStep(address, shape, wanted)
    const epoch = (kernel: Kernel): number => (kernel === real.kernel ? first.epoch : wanted.epoch)
    const stored = await both((kernel) => kernel.append(address, epoch(kernel), step), twice)
    expect(stored.first).toEqual(stored.wanted)
    if (twice && stored.first.kind === 'OK') expect(stored.last).toMatchObject({ kind: 'DUP' })
    if (stored.first.kind === 'OK') questions.push(...(step.questions ?? []))
    if (lets === 'go') await same((kernel) => kernel.release(address, toRunner(owner), epoch(kernel), true))
  }

  function toStep(address: Address, shape: TaskShape, { pending }: Claimed): Append {
    const n = next()
    const consume = pending.slice(0, shape.consume).map(({ seq }) => seq)
    const asked = shape.ask === 'none' ? [] : [toQuestion(n, shape)]
    const told = [`m${shape.about}`]
    const tells = shape.tells.filter(({ at: to }) => (isTask(address) ? to === 0 || at(to) === address : to > 0))
    return {
      key: `step${n}`,
      entries: [entry(`turn${n}`)],
      consume,
      ...(shape.aside ? { setAside: consume } : {}),
      rows: Array.from({ length: shape.rows }, (_, i) => {
        const made = row(`row${n}-${i}`, `text ${n}`)
        const buttons = i === 0 && asked[0] ? { buttons: [[{ id: `${asked[0].id}.yes`, label: 'yes' }]] } : {}
        return { ...made, body: { ...made.body, ...buttons } }
      }),
      questions: asked,
      timers: shape.timer ? [toTimer(n, told)] : [],
      letters: shape.letter
        ? [{ event: { ...signalTo(home, address, `l${n}`).event, conversation: 'telegram:other', regarding: told } }]
        : [],
      signals: tells.map(({ at: to, begins, stops }, i) => {
        const signal = signalTo(home, at(to), `s${n}-${i}`)
        const event = { ...signal.event, regarding: told }
        const how = begins && to > 0 ? { begins: told } : stops ? { stops: people[n % 2] ?? people[0] } : {}
        return { ...signal, event, ...how }
      }),
      ...(isTask(address) ? {} : { drops: shape.drops }),
      artifacts: shape.keeps.map((name) =>
        artifact(`a${name}`, { kind: n % 2 ? 'work' : 'result', about: told, text: `${n}`, session: `sess_${n % 3}` }),
      ),
      dropsArtifacts: shape.unkeeps.map((name) => `a${name}`),
      ...(n % 9 === 0 ? { endsSession: true } : {}),
      ...(shape.cancel === 'none' ? {} : { cancels: [cancels[shape.cancel]] }),
      ...(shape.folds ? { folds: true, snapshot: `state ${n}`, rest: '' } : {}),
      parts: { f_x: `${n}` },
      release: shape.release,
      progress: true,
      ...(shape.unlessStopped ? { unlessStopped: { principal: people[0], firstSeq: pending[0]?.seq ?? 1 } } : {}),
    }
  }

  function toQuestion(n: number, { ask, about }: TaskShape): Question {
    const made = askedQuestion(home, n % 2 ? '*' : people[0])
    const asker = people[n % 2] ?? people[0]
    // No two are due within the same moments.
    const due = { deadlineMs: 4 * tickMs - 10 * (n % 100), asker, labels: ['Yes', 'No'] }
    // Those on a topic are forgotten first, so that they would end in another order.
    const more = ask === 'topic' ? { topic: 'menu' } : { about: [`m${about}`] }
    return { ...made, ...due, ...more, ...(n % 3 ? {} : { stales: true }) }
  }

  const toTimer = (n: number, messages: readonly string[]): Timer => ({
    name: `notes.${n % 2}`,
    inMs: 2 * tickMs - 10 * (n % 100) - 5,
    event: {
      v: 1,
      kind: 'timer',
      id: `timer${n}`,
      conversation: home,
      principal: people[0],
      timer: 'notes.remind',
      payload: '',
      messages: [...messages],
    },
  })

  async function say({ message, who, stops, answers }: Extract<TaskAction, { do: 'say' }>): Promise<void> {
    const event = messageEvent(home, `${message}-${next()}`, people[who])
    const echo = home.startsWith('web:')
    await same((kernel) => kernel.ingest({ event, dedupeKey: event.id, stop: stops ? 'own' : 'none', echo }))
    const { routedSeq, events } = await twin.kernel.inbox(home, 1)
    await real.kernel.inbox(home, 1)
    const [first] = events
    const picked = answers === undefined ? undefined : questions[answers % Math.max(questions.length, 1)]
    if (!first) return
    const said = picked && { ...answerEvent(home, picked.id, first.event.id), principal: people[who] ?? people[0] }
    const ruling = said
      ? ({
          act: 'answer',
          rule: 'words',
          asAdmin: false,
          answer: { ...said, said: true },
          otherwise: turnDecision,
        } as const)
      : turnDecision
    await same((kernel) => kernel.route(home, routedSeq, [ruling]))
  }

  async function press({ pick, who, press: n, twice }: Extract<TaskAction, { do: 'press' }>): Promise<void> {
    const picked = questions[pick % Math.max(questions.length, 1)]
    if (!picked) return
    const event = answerEvent(home, picked.id, `press${n}`)
    const actor = people[who] ?? people[0]
    await same((kernel) => kernel.resolve({ question: picked.id, actor, chat: home, choice: 'yes', event }), twice)
  }

  async function deliver(outcome: number): Promise<void> {
    const op = `op${next()}`
    const begin = await both((kernel) => kernel.begin(sender(home), op))
    for (let found = compareBegun(begin.first, begin.wanted); found;) {
      const ended = outcomes(`r${next()}`)[outcome] ?? { kind: 'sent', receipt: op }
      const current = found
      const settled = await both((kernel) =>
        kernel.settle(sender(home), kernel === real.kernel ? current.real : current.twin, ended, `op${count}`),
      )
      found = compareBegun(settled.first, settled.wanted)
    }
  }
  type Answered = BeginResult | { readonly kind: 'REFUSED'; readonly code: unknown }
  function compareBegun(found: Answered, wanted: Answered): (typeof rows)[number] | undefined {
    if (found.kind !== 'ROW' || wanted.kind !== 'ROW') {
      expect(found).toEqual(wanted)
      return undefined
    }
    expect(anonymous(found.row)).toEqual(anonymous(wanted.row))
    return { real: found.row.id, twin: wanted.row.id }
  }

  async function run(action: TaskAction): Promise<void> {
    switch (action.do) {
      case 'work':
        return await work(action)
      case 'say':
        return await say(action)
      case 'press':
        return await press(action)
      case 'deliver':
        return await deliver(action.outcome)
      case 'forget':
        return await same((kernel) => kernel.forget(deletion(home, `m${action.message}`), []))
      case 'park':
        return await same((kernel) => kernel.park(at(action.at), 'by a test'))
      case 'unpark':
        return await same((kernel) => kernel.unpark(at(action.at)))
      case 'replay':
        return await same((kernel) => kernel.replay(at(action.at)))
      case 'erase':
        await both((kernel) => kernel.erase(home))
        // Of questions that were answered the store keeps longer who did.
        questions.length = 0
        return
      case 'fire':
        return await same(async (kernel) => {
          const fired = await kernel.fire(toPartition(home))
          // Letters that were forgotten are looked at once more.
          return { ...fired, letters: false, conversations: fired.conversations.toSorted() }
        })
      case 'carry':
        return await same(async (kernel) => {
          const { letters } = await kernel.giveOut(toPartition(home))
          const taken = letters.map(({ id, to, says }) => ({ id, to, says }))
          return taken
        })
      case 'die':
      case 'revive':
        for (const { gone } of [real, twin]) gone[action.do === 'die' ? 'add' : 'delete'](`p${action.owner}`)
        return
      case 'advance':
        await real.advance(action.steps * tickMs)
        return await twin.advance(action.steps * tickMs)
      default:
        return action satisfies never
    }
  }

  async function look(): Promise<void> {
    await same(async (kernel) => untimedAll(await kernel.inbox(home, 50)))
    for (const address of places) {
      await same(async (kernel) => untimedAll(await kernel.pending(address, 0)))
      await same(async (kernel) => (await kernel.listArtifacts(address)).map((one) => ({ ...one, at: 0 })))
      await same(async (kernel) => (await kernel.findArtifact(address, 'a1'))?.text)
    }
    await same(async (kernel) => (await kernel.readOut(home, '0', 200)).map((item) => ({ ...item, at: 0 })))
    await same(async (kernel) => {
      const due = await kernel.due(toPartition(home), 0, [...real.gone])
      return due.map(({ what, conversation }) => `${what} ${conversation}`).toSorted()
    })
  }

  return { run, look }
}

const cancels = { all: { all: true }, asker: { asker: people[0] }, topic: { topic: 'menu' } } as const satisfies Record<
  string,
  Cancel
>

const outcomes = (receipt: string): readonly Outcome[] => [
  { kind: 'sent', receipt },
  { kind: 'failed', reason: '403' },
  { kind: 'failed', reason: 'blocked', closed: true },
]

/** What comes from inside has the time of the clock that it was made by. */
const untimed = (event: ChatEvent): unknown =>
  event.kind === 'timer' || event.kind === 'letter' || event.kind === 'expired' ? { ...event, at: 0 } : event
const untimedItem = (item: QueuedEvent): unknown => ({ ...item, event: untimed(item.event) })
const untimedAll = (found: { readonly events: readonly QueuedEvent[] }): unknown => ({
  ...found,
  events: found.events.map(untimedItem),
})
const plain = (claimed: Claimed): unknown => ({
  ...claimed,
  epoch: 0,
  atMs: 0,
  pending: claimed.pending.map(untimedItem),
})
