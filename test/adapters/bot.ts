// Plays router and executor for one conversation through the kernel alone: what a test wants said is said in the fleet's own way.
import { parseConversation, type ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { toFirstRow, toPlanEndRow, toPlanRow, unbutton, type OutBody } from '#shared/run/out-row.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { randomId, toQuestionId } from '#queues/partition.ts'
import { toTurn } from '#test/rig/events.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'

export type Bot = {
  /** Waits until something came in, and gives it. */
  hear(withinMs?: number): Promise<readonly ChatEvent[]>
  /** `plan`: what the plan says by now. `follows`: the last message that it answers. */
  draft(text: string, plan?: string, follows?: string): Promise<unknown>
  /** Says the plan of what is being written; at its end, in place of what it said. */
  plan(text: string, isEnd?: boolean): Promise<void>
  /** Answers everything that waits, with one reply. */
  reply(text: string): Promise<void>
  /** As `reply`, of the first that waits alone. */
  replyToFirst(text: string): Promise<void>
  /** As `reply`, of a turn that goes on once a person has answered. */
  wait(text: string): Promise<void>
  /** As what a command says: it answers, and ends no turn. */
  tell(text: string): Promise<void>
  /** As `reply`, with a row of buttons by their labels, in place of the row `replaces` if given; returns their ids. */
  ask(text: string, options: Readonly<Record<string, string>>, replaces?: string): Promise<readonly string[]>
  /** As `ask`, of a card that asks people something: it is answered by words too, until its deadline. */
  askPeople(text: string, options: Readonly<Record<string, string>>, asks: Asks): Promise<readonly string[]>
  /** The row of the last reply. */
  lastRow(): string
  /** Takes the buttons off a row's message. */
  unbutton(row: string): Promise<void>
}

export type Asks = NonNullable<Extract<OutBody, { kind: 'send' }>['asks']>

export function createBot(kernel: Kernel, conversation: ConversationId): Bot {
  let steps = 0
  const newStep = (): string => `step-${process.pid}-${++steps}-${randomId()}`
  /** The turn that the next reply ends. */
  let turn = newStep()
  const route = async (): Promise<void> => {
    const { events, routedSeq } = await kernel.inbox(conversation, 100)
    if (events.length === 0) return
    await kernel.route(
      conversation,
      routedSeq,
      events.map(() => toTurn()),
    )
  }

  type Asked = {
    readonly id: string
    readonly options: Readonly<Record<string, string>>
    readonly replaces?: string
    readonly asks?: Asks
  }
  type Waits = { readonly waits: true }
  let lastKey = ''
  async function finish(text: string, how?: Asked | Waits, isTurn = true, most = Infinity) {
    const question = how && 'id' in how ? how : undefined
    const waits = how && 'waits' in how ? how : {}
    await route()
    const claimed = await kernel.claim(conversation, 'bot', 8000)
    if (claimed.kind !== 'CLAIMED') throw new Error(`The bot could not claim ${conversation}: ${claimed.kind}`)
    const pending = claimed.pending.slice(0, most)
    const answers = pending.map(({ event }) => event.id)
    const options = Object.entries(question?.options ?? {})
    const buttons = question ? { buttons: [options.map(([id, label]) => ({ id: `${question.id}.${id}`, label }))] } : {}
    const { asks } = question ?? {}
    const asker = `${parseConversation(conversation).channel}:owner`
    const key = isTurn ? turn : newStep()
    if (isTurn) turn = newStep()
    // As the executor's rows: a reply stands for its own beginning, if that was sent.
    const replaces = isTurn ? { replaces: question?.replaces ?? toFirstRow(key) } : {}
    const result = await kernel.append(conversation, claimed.epoch, {
      key,
      entries: [],
      consume: pending.map(({ seq }) => seq),
      rows: [toRow(key, toBody(text, { answers, ...buttons, ...(asks ? { asks } : {}), ...waits, ...replaces }))],
      questions: question
        ? [
            {
              v: 1,
              id: question.id,
              kind: 'redo.edited',
              owner: '*',
              options: Object.keys(question.options),
              payload: 'kept',
              ...(asks
                ? { deadlineMs: asks.deadlineMs, labels: Object.values(question.options), card: key, asker }
                : {}),
            },
          ]
        : [],
      snapshot: '{}',
      progress: true,
      release: true,
    })
    if (result.kind !== 'OK') throw new Error(`The bot could not reply: ${result.kind}`)
    lastKey = key
  }

  return {
    async hear(withinMs = 8000) {
      const until = Date.now() + withinMs
      for (;;) {
        const { events } = await kernel.inbox(conversation, 100)
        if (events.length > 0) return events.map(({ event }) => event)
        if (Date.now() > until) throw new Error(`Nothing came into ${conversation}.`)
        await new Promise((resolve) => void setTimeout(resolve, 20))
      }
    },
    draft: (text, plan, follows) => {
      const told = plan === undefined ? {} : { plan: { row: toPlanRow(turn), text: plan } }
      return kernel.saveDraft(conversation, { turn, text, ...told, ...(follows === undefined ? {} : { follows }) })
    },
    async plan(text, isEnd = false) {
      const claimed = await kernel.claim(conversation, 'bot', 8000)
      if (claimed.kind !== 'CLAIMED') throw new Error(`The bot could not claim ${conversation}: ${claimed.kind}`)
      const [id, replaces] = isEnd ? [toPlanEndRow(turn), { replaces: toPlanRow(turn) }] : [toPlanRow(turn), {}]
      const rows = [toRow(id, toBody(text, { plan: true, ...replaces }))]
      await kernel.append(conversation, claimed.epoch, { key: id, entries: [], rows, release: true })
    },
    reply: (text) => finish(text),
    replyToFirst: (text) => finish(text, undefined, true, 1),
    wait: (text) => finish(text, { waits: true }),
    tell: (text) => finish(text, undefined, false),
    lastRow: () => lastKey,
    async unbutton(row) {
      const claimed = await kernel.claim(conversation, 'bot', 8000)
      if (claimed.kind !== 'CLAIMED') throw new Error(`The bot could not claim ${conversation}: ${claimed.kind}`)
      const rows = [{ id: `${row}-off`, body: unbutton(row), expiresInMs: 600_000 }]
      await kernel.append(conversation, claimed.epoch, { key: `off-${row}`, entries: [], rows, release: true })
    },
    async ask(text, options, replaces) {
      const id = toQuestionId(conversation, randomId())
      await finish(text, { id, options, ...(replaces === undefined ? {} : { replaces }) })
      return Object.keys(options).map((option) => `${id}.${option}`)
    },
    async askPeople(text, options, asks) {
      const id = toQuestionId(conversation, randomId())
      await finish(text, { id, options, asks })
      return Object.keys(options).map((option) => `${id}.${option}`)
    },
  }
}
