// Runs one action on the real kernel and on its twin and compares the answers; what is random in an answer (epochs, ids of
// notices) is paired instead. A `twice` action is sent twice to the real kernel only, as after a lost reply.
import { expect } from 'vitest'
import type { BeginResult, Due, Kernel, Sender } from '#queues/kernel/kernel.ts'
import type { Decision, Ruling } from '#shared/chat/decision.ts'
import type { Question } from '#shared/run/question.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Append, Cancel, Claimed, Letter, QueuedEvent, Timer } from '#shared/run/step.ts'
import { toPartition } from '#queues/partition.ts'
import type { KernelBench, RedisBench } from '#test/rig/kernel-bench.ts'
import {
  type ArtifactShape,
  answerEvent,
  artifactOf,
  deletion,
  askedQuestion,
  entry,
  ignoreDecision,
  messageEvent,
  row,
  sender,
  ttlMs,
  turnDecision,
} from './kernel-fixtures.ts'
import { anonymous, answer } from './compared.ts'
import { createRecordWorld, type Reading, type RecordShape } from './record-world.ts'
import { createLetterWorld, type Carrying } from './letter-world.ts'

export type Action =
  | { do: 'ingest'; c: number; key: number; who: number; stop: 'none' | 'own' | 'all'; twice: boolean }
  | { do: 'route'; c: number; ignore: readonly boolean[]; behind: boolean; twice: boolean; says: Said | undefined }
  | { do: 'claim'; c: number; owner: number; twice: boolean }
  | { do: 'renew'; c: number; owner: number }
  | { do: 'disown'; c: number; owner: number }
  /** A process is taken for gone, or is back. */
  | { do: 'die' | 'revive'; process: number }
  | { do: 'append'; c: number; owner: number; shape: AppendShape; twice: boolean }
  | { do: 'again'; c: number; owner: number; back: number }
  | { do: 'release'; c: number; owner: number; force: boolean; twice: boolean }
  | { do: 'begin'; c: number; from: number; idempotent: boolean; twice: boolean }
  | { do: 'settle'; c: number; from: number; outcome: number; idempotent: boolean; leave: boolean; twice: boolean }
  | { do: 'press'; c: number; pick: number; who: number; press: number; twice: boolean }
  | { do: 'replay' | 'park' | 'unpark' | 'draft' | 'sweep' | 'fire'; c: number }
  | { do: 'look'; c: number }
  | { do: 'carry'; c: number; how: Carrying }
  | { do: 'read'; c: number; how: Reading }
  /** A turn from its claim to a reaction on its answer, as far as others let it. */
  | { do: 'turn'; c: number; record: RecordShape; reacts: boolean }
  | { do: 'forget'; c: number; message: number }
  | { do: 'giveUp'; c: number; steps: number }
  | { do: 'advance'; steps: number }

/** The first of them is said as an answer to one of the questions. */
export type Said = { readonly pick: number; readonly who: number; readonly choice: string; readonly asAdmin: boolean }

export type AppendShape = {
  readonly entries: number
  readonly consume: readonly number[]
  readonly aside: boolean
  readonly rows: readonly ('long' | 'short' | 'replaces')[]
  readonly ask: boolean
  readonly snapshot: boolean
  readonly folds: boolean
  readonly parts: readonly string[]
  readonly progress: boolean
  readonly release: boolean
  readonly unlessStopped: boolean
  /** In how many ticks, from one on, a timer of this step fires. */
  readonly timer: number | undefined
  readonly cancels: boolean
  /** Whom letters of this step are for. */
  readonly letters: readonly number[]
  readonly record: RecordShape | undefined
  readonly keeps: ArtifactShape | undefined
}

/** Who holds the leases of runs and of senders; a process has one of each. */
const toRunner = (process: number): string => `@p${process}/w`
const toSending = (process: number): string => `@p${process}/s`

type Pair = { readonly real: string; readonly twin: string }

export const conversations = ['telegram:a', 'telegram:a:7', 'web:w'] as const
const people = ['telegram:1', 'telegram:2'] as const
/** No multiple of it comes near a length of time the kernel knows (8 s, 12 s, 20 s, 32.5 s, 60 s, 600 s). */
const tickMs = 3100
const dedupedForMs = 32_500

export type World = {
  readonly run: (action: Action) => Promise<void>
  /** Row ids by conversation: as appended, and as begun on the real kernel. */
  readonly queued: Map<string, string[]>
  readonly begun: Map<string, string[]>
  /** See `LetterWorld`. */
  readonly finish: () => Promise<void>
}

export function createWorld(real: RedisBench, twin: KernelBench): World {
  let count = 0
  const epochs = new Map<string, { real: number; twin: number }>()
  const rows = new Map<string, Pair>()
  const steps = new Map<string, Append[]>()
  const questions: (Pair & { conversation: string })[] = []
  const queued = new Map<string, string[]>()
  const begun = new Map<string, string[]>()
  const highest = new Map<string, number>()
  const next = (): number => (count += 1)
  const post = createLetterWorld(real, twin.kernel, conversations)
  const records = createRecordWorld(real, twin, conversations)

  /** Calls both; a rejection counts as an answer. */
  const both = async <T>(call: (kernel: Kernel) => Promise<T>, twice = false) => {
    const first = await answer(call(real.kernel))
    const last = twice ? await answer(call(real.kernel)) : first
    return { first, last, twin: await answer(call(twin.kernel)) }
  }
  const same = async (call: (kernel: Kernel) => Promise<unknown>, twice = false): Promise<void> => {
    const { first, twin: wanted } = await both(call, twice)
    expect(first).toEqual(wanted)
  }

  const compareBegun = (from: string, c: string, found: BeginResult, wanted: BeginResult): void => {
    if (found.kind === 'WAIT' && wanted.kind === 'WAIT') return expect(found.forMs).toBe(wanted.forMs)
    if (found.kind !== 'ROW' || wanted.kind !== 'ROW') return expect(found).toEqual(wanted)
    rows.set(from, { real: found.row.id, twin: wanted.row.id })
    if (!found.row.id.startsWith('notice-')) begun.set(c, [...(begun.get(c) ?? []), found.row.id])
    if (found.row.body.kind === 'notice' && wanted.row.body.kind === 'notice') {
      questions.push({ real: found.row.body.question, twin: wanted.row.body.question, conversation: c })
    }
    expect(anonymous(found.row)).toEqual(anonymous(wanted.row))
  }
  const deliver = async (
    from: string,
    c: string,
    call: (kernel: Kernel, id: string) => Promise<BeginResult>,
    twice: boolean,
  ): Promise<void> => {
    const current = rows.get(from) ?? { real: 'none', twin: 'none' }
    rows.delete(from)
    const found = await call(real.kernel, current.real)
    if (twice) {
      const again = await call(real.kernel, current.real)
      expect(again).toEqual(found)
    }
    compareBegun(from, c, found, await call(twin.kernel, current.twin))
  }

  async function run(action: Action): Promise<void> {
    if (action.do === 'advance') {
      await real.advance(action.steps * tickMs)
      return twin.advance(action.steps * tickMs)
    }
    if ('process' in action) {
      for (const { gone } of [real, twin]) gone[action.do === 'die' ? 'add' : 'delete'](`p${action.process}`)
      return
    }
    const c = conversations[action.c] ?? conversations[0]
    switch (action.do) {
      case 'ingest': {
        const event = messageEvent(c, action.key, people[action.who])
        const input = { event, dedupeKey: `k${action.key}`, stop: action.stop, echo: c.startsWith('web:') }
        return same((kernel) => kernel.ingest(input), action.twice)
      }
      case 'route': {
        const { routedSeq } = await twin.kernel.pending(c, 0)
        const decisions = action.ignore.map((ignore, i) =>
          ignore ? { ...ignoreDecision, ...(i % 2 === 0 ? records.toFeedback(c, next()) : {}) } : turnDecision,
        )
        const rulings = action.says ? await toSaid(c, decisions, action.says) : decisions
        return same((kernel) => kernel.route(c, routedSeq - (action.behind ? 1 : 0), rulings), action.twice)
      }
      case 'claim': {
        const { first, last, twin: wanted } = await both((k) => k.claim(c, toRunner(action.owner), ttlMs), action.twice)
        if (first.kind !== 'CLAIMED' || last.kind !== 'CLAIMED' || wanted.kind !== 'CLAIMED') {
          return expect(first).toEqual(wanted)
        }
        const plain = (claimed: Claimed) => ({
          ...claimed,
          epoch: 0,
          atMs: 0,
          pending: claimed.pending.map(untimedItem),
        })
        expect(plain(first)).toEqual(plain(wanted))
        expect(plain(last)).toEqual(plain(wanted))
        expect(last.epoch).toBeGreaterThan(highest.get(c) ?? 0)
        highest.set(c, last.epoch)
        epochs.set(`${c} w${action.owner}`, { real: last.epoch, twin: wanted.epoch })
        return
      }
      case 'renew':
        return same((kernel) => kernel.renew(c, toRunner(action.owner), ttlMs))
      case 'disown':
        return same(async (kernel) => {
          await kernel.disown(c, toRunner(action.owner))
          await kernel.disown(c, toSending(action.owner))
        })
      case 'append': {
        const step = await toStep(c, action.shape)
        steps.set(c, [...(steps.get(c) ?? []), step])
        const kind = await append(c, action.owner, step, action.twice)
        if (kind !== 'OK') return
        post.wrote(c, step)
        queued.set(c, [...(queued.get(c) ?? []), ...(step.rows ?? []).map(({ id }) => id)])
        for (const { id } of step.questions ?? []) questions.push({ real: id, twin: id, conversation: c })
        return
      }
      case 'again': {
        const step = steps.get(c)?.at(-1 - action.back)
        if (step) await append(c, action.owner, step, false)
        return
      }
      case 'release': {
        const epoch = epochs.get(`${c} w${action.owner}`)
        if (!epoch) return
        const call = (kernel: Kernel) =>
          kernel.release(c, toRunner(action.owner), kernel === real.kernel ? epoch.real : epoch.twin, action.force)
        return same(call, action.twice)
      }
      case 'begin': {
        const idempotentForMs = action.idempotent ? dedupedForMs : 0
        const from: Sender = sender(c, { owner: toSending(action.from), idempotentForMs })
        const op = `op${next()}`
        return deliver(`${c} s${action.from}`, c, (kernel) => kernel.begin(from, op), action.twice)
      }
      case 'settle': {
        const idempotentForMs = action.idempotent ? dedupedForMs : 0
        const from: Sender = sender(c, { owner: toSending(action.from), idempotentForMs, leave: action.leave })
        const op = `op${next()}`
        const given = outcomes(op)[action.outcome]
        // Only answers are split; a notice is short.
        const isWhole = given?.kind === 'split' && rows.get(`${c} s${action.from}`)?.real.startsWith('notice-')
        const outcome = given && !isWhole ? given : ({ kind: 'sent', receipt: op } as const)
        const call = (kernel: Kernel, id: string) => kernel.settle(from, id, outcome, op)
        if (outcome.kind === 'sent') records.sent(c, outcome.receipt)
        return deliver(`${c} s${action.from}`, c, call, action.twice)
      }
      case 'press': {
        const picked = questions[action.pick % Math.max(questions.length, 1)]
        if (!picked) return
        const actor = people[action.who] ?? people[0]
        const id = `press${action.press}`
        const { first, twin: wanted } = await both((kernel) => {
          const question = kernel === real.kernel ? picked.real : picked.twin
          const choice = picked.real === picked.twin ? 'yes' : 'show'
          // The event's text must not differ between the two, the question id of a notice does.
          const event = answerEvent(picked.conversation, picked.twin, id)
          const asAdmin = action.press % 2 === 1
          return kernel.resolve({ question, actor, chat: c, choice, asAdmin, event })
        }, action.twice)
        const unnamed = first.kind === 'WON' ? { ...first, question: { ...first.question, id: picked.twin } } : first
        return expect(unnamed).toEqual(wanted)
      }
      case 'replay':
        return same((kernel) => kernel.replay(c))
      case 'park':
        return same((kernel) => kernel.park(c, 'by a test'), true)
      case 'unpark':
        return same((kernel) => kernel.unpark(c), true)
      case 'draft': {
        const draft = { turn: 't', text: `draft ${next()}` }
        return same((kernel) => kernel.saveDraft(c, draft))
      }
      case 'sweep':
        return sweep(c)
      case 'fire':
        return same(async (kernel) => {
          const fired = await kernel.fire(toPartition(c))
          return { ...fired, conversations: fired.conversations.toSorted() }
        })
      case 'look':
        return look(c)
      case 'carry':
        return post.carry(c, action.how)
      case 'turn':
        for (const part of toTurnActions(action)) await run(part)
        return
      case 'read':
        return records.read(c, action.how)
      case 'forget':
        return same((kernel) => kernel.forget(deletion(c, String(action.message)), []))
      case 'giveUp':
        return records.giveUp(c, action.steps * tickMs + 1500)
    }
  }

  async function toSaid(c: string, [otherwise = turnDecision, ...rest]: readonly Decision[], said: Said) {
    const asked = questions.filter((one) => one.real === one.twin)
    const picked = asked[said.pick % Math.max(asked.length, 1)]
    const [first] = (await twin.kernel.inbox(c, 1)).events
    await real.kernel.inbox(c, 1)
    if (!picked || !first) return [otherwise, ...rest]
    const { choice, asAdmin } = said
    const principal = people[said.who] ?? people[0]
    const event = { ...answerEvent(c, picked.real, first.event.id), principal, choice, said: true } as const
    const words = { ...event, words: 'some "words"', messages: [first.event.id] }
    const ruling: Ruling = { act: 'answer', rule: 'answer.reply', asAdmin, answer: words, otherwise }
    return [ruling, ...rest]
  }

  async function append(c: string, owner: number, step: Append, twice: boolean): Promise<string> {
    const epoch = epochs.get(`${c} w${owner}`)
    if (!epoch) return 'NONE'
    const call = (kernel: Kernel) => kernel.append(c, kernel === real.kernel ? epoch.real : epoch.twin, step)
    const { first, last, twin: wanted } = await both(call, twice)
    expect(first).toEqual(wanted)
    if (twice && first.kind === 'OK') expect(last.kind).toBe('DUP')
    return first.kind
  }

  async function toStep(c: string, shape: AppendShape): Promise<Append> {
    const n = next()
    const { events } = await twin.kernel.pending(c, 0)
    const consume = shape.consume.flatMap((i) => events[i]?.seq ?? [])
    const replaced = queued.get(c)?.at(-1)
    const closed =
      n % 4 === 0 ? questions.findLast((one) => one.conversation === c && one.real === one.twin) : undefined
    const asked = shape.ask ? [toQuestion(c, n)] : []
    const timers = shape.timer === undefined ? [] : [toTimer(c, n, untied(n, shape.timer * tickMs))]
    return {
      key: `step${n}`,
      entries: Array.from({ length: shape.entries }, (_, i) => entry(`turn${n}`, i)),
      consume,
      ...(shape.aside ? { setAside: consume } : {}),
      rows: shape.rows.map((kind, i) => {
        const made = row(`row${n}-${i}`, `text ${n}`, kind === 'replaces' ? replaced : undefined)
        const buttons = i === 0 && asked[0] ? { buttons: [[{ id: `${asked[0].id}.yes`, label: 'yes' }]] } : {}
        return { ...made, body: { ...made.body, ...buttons }, expiresInMs: kind === 'short' ? 20_000 : 600_000 }
      }),
      questions: asked,
      timers,
      ...(shape.record ? { records: records.toRecords(`row${n}`, shape.record) } : {}),
      letters: shape.letters.map((to, i) => toLetter(c, conversations[to] ?? c, `${n}-${i}`)),
      ...(shape.keeps ? { artifacts: [artifactOf(n, shape.keeps)] } : {}),
      ...(n % 9 === 0 ? { endsSession: true } : {}),
      ...(n % 7 === 0 ? { disarms: [`notes.${n % 3}`] } : {}),
      ...(shape.cancels ? { cancels: [cancels[n % 3] ?? { all: true }] } : {}),
      ...(closed ? { closes: [closed.real] } : {}),
      ...(shape.snapshot ? { snapshot: `state ${n}`, rest: n % 2 ? '' : `rest ${n}` } : {}),
      ...(shape.folds ? { folds: true } : {}),
      parts: Object.fromEntries(shape.parts.map((part) => [part, n % 5 ? `${part} ${n}` : ''])),
      ...(n % 3 ? { reply: `reply ${n}` } : {}),
      progress: shape.progress,
      release: shape.release,
      ...(shape.unlessStopped ? { unlessStopped: { principal: people[0], firstSeq: events[0]?.seq ?? 1 } } : {}),
    }
  }

  async function look(c: string): Promise<void> {
    await same(async (kernel) => untimedAll(await kernel.inbox(c, 5)))
    await same(async (kernel) => untimedAll(await kernel.inbox(c, 2, { lostAfterMs: 60_000, allOrNone: true })))
    await same(async (kernel) => untimedAll(await kernel.pending(c, 1)))
    await same(async (kernel) => untimed(await kernel.findEvent(c, 2)))
    await same((kernel) => kernel.findDraft(c))
    await same(async (kernel) => (await kernel.listArtifacts(c)).map((one) => ({ ...one, at: 0 })))
    await same(async (kernel) => (await kernel.findArtifact(c, 'a1'))?.text)
    await same(async (kernel) => {
      const { cards, isAll } = await kernel.findCards(c, ['op1', 'row3-0'])
      const untimedCards = cards.map((one) => ({ ...one, askedAtMs: one.askedAtMs === undefined }))
      return { isAll, cards: untimedCards.toSorted((a, b) => (a.question.id < b.question.id ? -1 : 1)) }
    })
    // The two clocks differ.
    await same(async (kernel) => (await kernel.readOut(c, '0', 100)).map((item) => ({ ...item, at: 0 })))
    await same(async (kernel) => (await kernel.readOutBefore(c, '0', 3)).map((item) => ({ ...item, at: 0 })))
    await compareDue((kernel) => kernel.due(toPartition(c), 1500, [...real.gone]))
    await records.compare()
  }

  async function sweep(c: string): Promise<void> {
    await same(async (kernel) => {
      const { work, holders, fires } = await kernel.sweep(toPartition(c), 1e9, [...real.gone])
      return { work, holders: holders.toSorted(), fires }
    })
    await compareDue(async (kernel) => (await kernel.sweep(toPartition(c), 1500, [...real.gone])).due)
  }

  async function compareDue(read: (kernel: Kernel) => Promise<readonly Due[]>): Promise<void> {
    const { first, twin: wanted } = await both(read)
    if (!Array.isArray(first) || !Array.isArray(wanted)) throw new Error('`due` was refused.')
    const names = (all: typeof first): string[] => all.map(({ what, conversation }) => `${what} ${conversation}`)
    expect(names(first).toSorted()).toEqual(names(wanted).toSorted())
    for (const due of first) {
      const match = wanted.find(({ what, conversation }) => what === due.what && conversation === due.conversation)
      expect(due.sinceMs).toBe(match?.sinceMs)
    }
  }

  async function finish(): Promise<void> {
    // What was put off is due by then.
    await run({ do: 'advance', steps: 2 })
    await post.finish()
  }

  return { run, queued, begun, finish }
}

function toTurnActions({ c, record, reacts }: Extract<Action, { do: 'turn' }>): readonly Action[] {
  const rest = { entries: 0, consume: [], aside: false, ask: false, snapshot: true, folds: true, parts: [] }
  const shape = { ...rest, progress: true, release: true, unlessStopped: false, cancels: false, letters: [], record }
  const send = { from: 0, idempotent: false, twice: false }
  return [
    { do: 'claim', c, owner: 0, twice: false },
    {
      do: 'append',
      c,
      owner: 0,
      shape: { ...shape, rows: ['long'], timer: undefined, keeps: undefined },
      twice: false,
    },
    { do: 'begin', c, ...send },
    { do: 'settle', c, ...send, outcome: 0, leave: false },
    ...(reacts
      ? ([
          { do: 'ingest', c, key: record.about[0] ?? 0, who: 0, stop: 'none', twice: false },
          { do: 'route', c, ignore: [true], behind: false, twice: false, says: undefined },
        ] as const)
      : []),
  ]
}

const cancels: readonly Cancel[] = [{ all: true }, { asker: people[0] }, { topic: 'menu' }]

/** No two are due within the same moments, and each within the tick that it is meant for. */
const untied = (n: number, ms: number): number => ms - 10 * (n % 150)

const toTimer = (conversation: string, n: number, inMs: number): Timer => ({
  name: `notes.${n % 3}`,
  inMs,
  event: {
    v: 1,
    kind: 'timer',
    id: `timer${n}`,
    conversation,
    principal: people[0],
    timer: 'notes.remind',
    payload: '',
  },
})

const toLetter = (from: string, to: string, name: string): Letter => ({
  event: {
    v: 1,
    kind: 'letter',
    id: `${from}/${name}`,
    conversation: to,
    principal: people[0],
    from,
    letter: 'notes.told',
    payload: '"好"',
  },
})

/** What comes from inside has the time of the clock that it was made by. */
const untimed = (event: ChatEvent | undefined): unknown =>
  event?.kind === 'timer' || event?.kind === 'letter' || event?.kind === 'expired' ? { ...event, at: 0 } : event
const untimedItem = (item: QueuedEvent): unknown => ({ ...item, event: untimed(item.event) })
const untimedAll = (found: { readonly events: readonly QueuedEvent[] }): unknown => ({
  ...found,
  events: found.events.map(untimedItem),
})

/** Stops and others, for all, for one, and for one or an administrator; some for a short time only, or with a deadline. */
function toQuestion(c: string, n: number): Question {
  const made = askedQuestion(c, n % 2 ? '*' : people[0])
  const told =
    n % 3 && n % 2
      ? { deadlineMs: untied(n, 10 * tickMs), asker: people[n % 4 === 1 ? 0 : 1], topic: n % 5 ? `t${n}` : 'menu' }
      : {}
  const answerable = {
    ...('deadlineMs' in told ? { labels: ['Yes, "of course"', '不'] } : {}),
    ...(n % 7 === 0 ? ({ words: true } as const) : {}),
    ...(n % 11 === 0 || n % 5 === 2 ? ({ stales: true } as const) : {}),
  }
  const question = { ...made, ...told, ...answerable }
  const brief = n % 5 === 0 ? { livesMs: 20_000 } : {}
  const stops = n % 3 ? {} : ({ kind: 'turn.stop', acts: 'stop', until: `row${n}-0` } as const)
  return { ...question, ...stops, admins: n % 4 === 2, card: `row${n}`, ...brief }
}

const outcomes = (op: string) =>
  [
    { kind: 'sent', receipt: op },
    { kind: 'failed', reason: '403' },
    { kind: 'unknown', reason: 'read timeout', afterMs: 5000 },
    { kind: 'retry', afterMs: 5000, reason: '429' },
    { kind: 'retry', afterMs: 0, reason: '429' },
    { kind: 'split', bodies: [row('p1').body, row('p2').body] },
    { kind: 'failed', reason: 'blocked', closed: true },
    { kind: 'left', afterMs: 0, reason: 'not certain' },
  ] as const
