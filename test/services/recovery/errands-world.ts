// A world of errands for the two hundred turns: tools that fail now and then, half of the writing ones after they had their effect, a ledger that honours
// keys as a service does, and a model that knows nothing but its prompt and fails a fifth of its calls. Everything by one seed.
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { ModelResult, PromptMessage } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import { answer, failed, look, type Answer, type Call } from '#test/services/executor/stage.ts'

export type Chance = () => number

/** Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function createChance(seed: number): Chance {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export type Ledger = {
  /** What took effect, one entry for each effect. */
  readonly effects: readonly { readonly key: string; readonly item: string }[]
  apply(key: string, item: string): void
}

export function createLedger(): Ledger {
  const byKey = new Map<string, string>()
  const effects: { key: string; item: string }[] = []
  return {
    effects,
    apply(key, item) {
      if (byKey.has(key)) return
      byKey.set(key, item)
      effects.push({ key, item })
    },
  }
}

export const valueOf = (item: string): string =>
  `v${[...item].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7)}`

const given = z.object({ item: z.string(), detail: z.boolean().optional() })

/** `look` reads, `look_elsewhere` does the same, `order` writes by its key: while the model is away each order fails after it had its effect. */
export function createTools(chance: Chance, ledger: Ledger, { rate, trouble }: Troubled): readonly Tool[] {
  const fail = (): never => {
    if (chance() < 0.5) throw new BotError('platform', 'it is busy.', { retry: { afterMs: 1 } })
    throw new BotError('platform', 'it broke.')
  }
  const read = (name: string, more: Partial<Tool>): Tool => ({
    ...look,
    name,
    ...more,
    async run(input) {
      const { item } = given.parse(input)
      if (chance() < rate) fail()
      return { text: `[${item}=${valueOf(item)}]`, source: 'own' }
    },
  })
  return [
    read('look', {
      insteadOf: 'look_elsewhere',
      smaller: (input) => ({ item: given.parse(input).item, detail: false }),
    }),
    read('look_elsewhere', {}),
    {
      ...look,
      name: 'order',
      effect: 'write',
      onCrash: 'rerun-with-key',
      async run(input, { idempotencyKey }) {
        const { item } = given.parse(input)
        const fate = chance()
        if (fate < rate / 2) fail()
        ledger.apply(idempotencyKey, item)
        if (fate < rate || trouble() === 'away') fail()
        return { text: `[${item}=${valueOf(item)}]`, source: 'own' }
      },
    },
  ]
}

export type Errand = { readonly tool: 'look' | 'order'; readonly item: string }
export type Task = { readonly text: string; readonly errands: readonly Errand[]; readonly answer: string }

/** Five to twelve errands. */
export function createTask(chance: Chance, name: string): Task {
  const errands = Array.from({ length: 5 + Math.floor(chance() * 8) }, (_, at): Errand => ({
    tool: chance() < 0.5 ? 'look' : 'order',
    item: `${name}x${at}`,
  }))
  const list = errands.map(({ tool, item }) => `${tool}:${item}`).join(' ')
  return { text: `TASK ${list}`, errands, answer: `RESULT ${errands.map(({ item }) => valueOf(item)).join(' ')}` }
}

/** What the model does wrong, from its fourth errand on or after an order that failed, until a person has chosen how to go on. */
export type Trouble = 'none' | 'away' | 'malformed' | 'circling'
/** How much fails by chance, and what fails for sure. */
export type Troubled = { readonly rate: number; trouble(): Trouble }

export type Script = { readonly answer: Answer; readonly calls: () => number; readonly failures: () => number }

export function createScript(chance: Chance, { rate, trouble }: Troubled): Script {
  let calls = 0
  let failures = 0
  const fail = (call: Call, right: ModelResult): ModelResult | Promise<ModelResult> => {
    failures += 1
    switch (Math.floor(chance() * 7)) {
      case 0:
        return failed('rate-limited')
      case 1:
        return failed('unavailable')
      case 2:
        return failed('timeout')
      case 3:
        call.write('RESULT half of ')
        return failed('cut-off')
      case 4:
        return answer(call, '')
      case 5:
        return failed('malformed')
      default:
        return right.kind === 'reply' && right.toolCalls.length > 0 ? toBroken(right) : failed('malformed')
    }
  }
  return {
    calls: () => calls,
    failures: () => failures,
    async answer(call) {
      calls += 1
      const { errands, done } = readPrompt(call.request.messages)
      const left = errands.filter(({ item }) => !done.has(item))
      const right = await answer({ ...call, write: () => {} }, toAnswer(errands, left, done))
      const isFailed =
        call.request.messages.findLast(({ role }) => role === 'tool')?.content.includes('failed:') === true
      const isTroubled = trouble() === 'away' ? isFailed || left.length <= 1 : errands.length - left.length >= 3
      const now = isTroubled ? trouble() : 'none'
      if (now === 'away') return failed('unavailable')
      if (now === 'malformed' && left.length > 0) return toBroken(right)
      if (now === 'circling') return await answer(call, toCall({ tool: 'look', item: 'round' }))
      if (chance() < rate) return await fail(call, right)
      if (right.kind === 'reply') call.write(right.text)
      return right
    },
  }
}

const toCall = ({ tool, item }: Errand): Exclude<Answer, string | ((call: Call) => unknown)> => ({
  toolCalls: [{ id: 'c', name: tool, arguments: JSON.stringify({ item, detail: true }) }],
})

function toAnswer(errands: readonly Errand[], left: readonly Errand[], done: ReadonlyMap<string, string>): Answer {
  const [next] = left
  return next ? toCall(next) : `RESULT ${errands.map(({ item }) => done.get(item) ?? '?').join(' ')}`
}

const toBroken = (reply: ModelResult): ModelResult =>
  reply.kind === 'reply'
    ? { ...reply, toolCalls: reply.toolCalls.map((call) => ({ ...call, arguments: call.arguments.slice(0, -3) })) }
    : reply

/** All that it knows: the task, and what results say. */
function readPrompt(messages: readonly PromptMessage[]): {
  readonly errands: readonly Errand[]
  readonly done: ReadonlyMap<string, string>
} {
  const task = messages.findLast(({ role, content }) => role === 'user' && content.includes('TASK '))?.content ?? ''
  const errands = [...task.matchAll(/(look|order):(\w+)/g)].map(([, tool, item = '']): Errand => ({
    tool: tool === 'look' ? 'look' : 'order',
    item,
  }))
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  const found = results.flatMap((result) => [...result.matchAll(/\[(\w+)=(\w+)\]/g)])
  return { errands, done: new Map(found.map(([, item = '', value = '']) => [item, value])) }
}
