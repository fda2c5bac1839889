// Many tasks at once under a model and a tool that fail: the model that does them, in this process, and the place outside where each step does one thing.
// The place counts what is done by its key: the same key twice is one thing, as with a service that honours keys.
import process from 'node:process'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { startModelSimulator } from '#test/simulators/model/simulator.ts'
import { textOf } from '#test/simulators/model/request.ts'
import { listen, parseJson, readBody, sendJson } from '#test/simulators/http-server.ts'
import type { ModelAnswer } from '#test/simulators/model/script.ts'

/** `n` is the number of the task. */
export const crowdOrder = (n: number, steps: number, looks: string): string =>
  `task crowd-${n} in ${steps} parts ${looks}`

/** What people ask beside the tasks. */
export const chatQuestion = 'what is the number'

export type Shares = {
  /** Of model calls that fail, from 0 to 1. */
  readonly model: number
  /** Of the tool's calls, half of them after its effect. */
  readonly tool: number
}

type Fails = { readonly random: () => number; readonly shares: Shares }

const posted = z.object({ what: z.string(), key: z.string(), by: z.number() })

/** Where something is posted. */
export async function openOutside({ random, shares }: Fails) {
  const keys = new Map<string, Set<string>>()
  const workers = new Map<number, number>()
  let failures = 0
  const server = await listen(async ({ req, res }) => {
    const { what, key, by } = posted.parse(parseJson(await readBody(req)))
    const [chance, half] = [random(), shares.tool / 2]
    if (chance < half) {
      failures += 1
      return sendJson(res, 503, {})
    }
    workers.set(by, (workers.get(by) ?? 0) + 1)
    keys.set(what, (keys.get(what) ?? new Set()).add(key))
    if (chance < shares.tool) {
      failures += 1
      return void res.destroy()
    }
    sendJson(res, 200, {})
  }, 0)
  return {
    origin: server.origin,
    done: (): number => keys.size,
    /** What was done under more than one key. */
    doubled: (): readonly string[] => [...keys].flatMap(([what, all]) => (all.size > 1 ? [what] : [])),
    failures: () => failures,
    /** How much was posted by each process, by its pid. */
    workers: (): ReadonlyMap<number, number> => workers,
    close: () => server.close(),
  }
}

const given = z.object({ what: z.string().max(100) })

/** The tool that posts there. What fails may have been done. */
export const createPost = (origin: string): Feature => ({
  name: 'crowd',
  tools: [
    {
      name: 'post_word',
      description: 'Posts something.',
      parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      effect: 'write',
      onCrash: 'rerun-with-key',
      listing: 'always',
      async run(input, { idempotencyKey: key }, signal) {
        const { what } = given.parse(input)
        const reply = await fetch(origin, {
          method: 'POST',
          body: JSON.stringify({ what, key, by: process.pid }),
          signal,
        }).catch(() => undefined)
        if (reply?.ok) return { text: 'posted', source: 'own' }
        throw new BotError('platform', 'the place did not answer.', { retry: { afterMs: 20 } })
      },
    },
  ],
})

const call = (name: string, input: object): ModelAnswer => ({
  kind: 'tools',
  calls: [{ id: name, name, arguments: JSON.stringify(input) }],
})
const say = (text: string): ModelAnswer => ({ kind: 'text', text })

/** Plans so many steps as an order names; in each it posts a word, again where that failed, and says what it did. */
export async function openCrowdModel({ random, shares, latencyMs = 0 }: Fails & { readonly latencyMs?: number }) {
  const model = await startModelSimulator({ ledger: 'counters' })
  let [asked, failures] = [0, 0]
  model.decideBy(({ messages }) => {
    asked += 1
    if (random() < shares.model) {
      failures += 1
      const isCut = failures % 2 === 0
      return isCut
        ? { answer: say('Half of what'), fault: { kind: 'reset', afterChunks: 1 } }
        : { answer: { kind: 'error', status: 503 } }
    }
    const last = messages.findLastIndex(({ role }) => role === 'user')
    const prompt = messages[last]
    const text = prompt ? textOf(prompt) : ''
    if (text.includes(chatQuestion)) return { answer: { kind: 'echo' }, latencyMs }
    const results = messages.slice(last).flatMap((one) => (one.role === 'tool' ? [textOf(one)] : []))
    return { answer: toAnswer(text, results), latencyMs }
  })
  return { url: model.url, asked: () => asked, failures: () => failures, close: () => model.close() }
}

function toAnswer(text: string, results: readonly string[]): ModelAnswer {
  const [, name = 'crowd', count = '1'] = /(crowd-\d+) in (\d+) parts/.exec(text) ?? []
  const [, at] = /, step (\d+) of \d+:/.exec(text) ?? []
  if (text.includes('Call the tool task_plan'))
    return call('task_plan', {
      steps: Array.from({ length: Number(count) }, (_, n) => ({
        title: `Part ${n + 1}`,
        task: `Write part ${n + 1}.`,
      })),
    })
  if (at === undefined) return say('[ALL]')
  const isPosted = results.at(-1)?.includes('posted') === true
  if (isPosted || results.length > 5) return say(`Part ${at} of ${name}.`)
  return call('post_word', { what: `${name}/${at}` })
}
