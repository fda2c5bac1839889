// Telegram's side of a fault test: the simulator as a process, people who write to the bot, and what they see. A watcher reads the
// simulator's ledger, so a message shown twice counts twice; what an echo answers is what the model was shown for it.
import { z } from 'zod'
import type { PrivateRedis } from '#test/rig/redis.ts'
import { startChild, type Child } from './child.ts'
import type { ModelProcess } from './model.ts'
import type { Asked, Transcripts } from './transcripts.ts'

const entry = z.object({
  n: z.number(),
  at: z.number(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
  outcome: z.string(),
  accepted: z.boolean(),
  endedAt: z.number().optional(),
  description: z.string().optional(),
})
export type TelegramCall = z.infer<typeof entry>
const ledger = z.object({ entries: z.array(entry), pendingUpdates: z.number(), pushes: z.array(z.unknown()) })
const said = z.object({ message: z.number(), update: z.number().optional() })

export type OutboxRow = {
  readonly conversation: string
  readonly id: string
  readonly state: string
  /** Of a row that ended `sent` the kernel keeps no body: then kind and answers are empty. */
  readonly kind: string
  readonly answers: readonly string[]
}

export type Telegram = {
  readonly child: Child
  readonly apiRoot: string
  readonly token: string
  /** One command of the simulator's control endpoint. */
  control(command: { readonly do: string } & Record<string, unknown>): Promise<unknown>
  calls(): Promise<readonly TelegramCall[]>
  pendingUpdates(): Promise<number>
  pushes(): Promise<number>
  /** A person with this id writes in their private chat. */
  ask(person: number, text: string): Promise<Asked>
  /** Every outbox row of Telegram conversations, as Redis has it now. */
  rows(): Promise<readonly OutboxRow[]>
  close(): void
}

const watchMs = 150
const settledAfterMs = 50

export async function startTelegram(
  repository: string,
  deps: { readonly redis: PrivateRedis; readonly talk: Transcripts; readonly model: ModelProcess },
): Promise<Telegram> {
  const args = [`${repository}/test/simulators/telegram/main.ts`, '--port', '0']
  const child = startChild({ name: 'telegram simulator', args, cwd: repository, env: {} })
  const ready = z.object({ apiRoot: z.string(), token: z.string() }).parse(JSON.parse(await child.line('"apiRoot"')))
  const read = async (after: number) =>
    ledger.parse(await (await fetch(`${ready.apiRoot}/__ledger?after=${after}`)).json())
  const bot = ready.token.split(':', 1)[0] ?? ''
  const rowReader = createRowReader(deps.redis)
  const seen = new Set<number>()
  let after = 0
  let watching = false

  async function watch(): Promise<void> {
    const { entries } = await read(after)
    const shown = entries.filter((call) => call.method === 'sendMessage' && call.accepted && !seen.has(call.n))
    const prompts = shown.length > 0 ? await deps.model.prompts() : new Map<string, readonly string[]>()
    const byNumber = new Map([...deps.talk.asked.values()].map((asked) => [toNumber(asked.text), asked.id]))
    for (const call of shown) {
      const conversation = `telegram:${String(call.params['chat_id'])}`
      const text = String(call.params['text'])
      const shownTexts = prompts.get(text.replace(/^echo: /, '')) ?? []
      seen.add(call.n)
      deps.talk.record(conversation, {
        text,
        answers: shownTexts.flatMap((one) => byNumber.get(toNumber(one)) ?? []),
        atMs: call.at,
      })
    }
    // Calls still open may yet take effect, so the place to read from stays before them.
    const open = entries.find((call) => call.outcome === 'open' && Date.now() - call.at < 60_000)
    const settled = entries.filter((call) => call.n < (open?.n ?? Infinity) && Date.now() - call.at > settledAfterMs)
    after = settled.at(-1)?.n ?? after
  }
  const timer = setInterval(() => {
    if (watching) return
    watching = true
    void watch()
      .catch(() => {})
      .finally(() => (watching = false))
  }, watchMs)

  const control: Telegram['control'] = async (command) => {
    const reply = await fetch(`${ready.apiRoot}/__control`, { method: 'POST', body: JSON.stringify(command) })
    const answer = z.object({ ok: z.boolean(), result: z.unknown().optional() }).parse(await reply.json())
    if (!answer.ok) throw new Error(`The Telegram simulator refused ${JSON.stringify(command)}`)
    return answer.result
  }
  return {
    child,
    ...ready,
    control,
    calls: async () => (await read(0)).entries,
    pendingUpdates: async () => (await read(1e12)).pendingUpdates,
    pushes: async () => (await read(1e12)).pushes.length,
    async ask(person, text) {
      const { update } = said.parse(await control({ do: 'sendText', from: person, text }))
      const id = `tg:${bot}:${update ?? 0}`
      const asked = { id, conversation: `telegram:${person}`, text, seq: update ?? 0, atMs: Date.now() }
      deps.talk.note(asked)
      return asked
    },
    rows: rowReader,
    close: () => clearInterval(timer),
  }
}

/** Every text ends in a number of its own, which stays when the prompt adds words before it. */
const toNumber = (text: string): string | undefined => /#(\d+)\.$/.exec(text)?.[1]

/** The rows that Redis knows; only those not sent have a body. */
function createRowReader({ admin }: PrivateRedis): () => Promise<readonly OutboxRow[]> {
  const body = z.object({ kind: z.string(), answers: z.array(z.string()) })
  return async () => {
    const keys = await admin.keys('fl:{p*}:o:telegram:*')
    const fields = await Promise.all(keys.map((key) => admin.hmget(key, 's', 'b')))
    return keys.map((key, i): OutboxRow => {
      const [, chat = '', id = ''] = /:o:telegram:([^:]+):(.+)$/.exec(key) ?? []
      const [state, json] = fields[i] ?? []
      const known = json ? body.parse(JSON.parse(json)) : { kind: '', answers: [] }
      return { conversation: `telegram:${chat}`, id, state: state ?? '', ...known }
    })
  }
}
