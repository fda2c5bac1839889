// Telegram's side of a fault test: the simulator as a process, people who write to the bot, and what they see.
import { z } from 'zod'
import type { PrivateRedis } from '#test/rig/redis.ts'
import { startChild, type Child } from './child.ts'
import type { ModelProcess } from './model.ts'
import { readRows, type OutboxRow } from './outbox-rows.ts'
import { watchMessages } from './seen-messages.ts'
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
  /** Every outbox row of Telegram conversations. */
  rows(): Promise<readonly OutboxRow[]>
  close(): void
}

export async function startTelegram(
  repository: string,
  deps: {
    readonly redis: PrivateRedis
    readonly talk: Transcripts
    readonly model: ModelProcess
    /** Variables by which it shares the clock of its fleet. */
    readonly time: Readonly<Record<string, string>>
  },
): Promise<Telegram> {
  const args = [`${repository}/test/simulators/telegram/main.ts`, '--port', '0']
  const child = startChild({ name: 'telegram simulator', args, cwd: repository, env: deps.time })
  const ready = z.object({ apiRoot: z.string(), token: z.string() }).parse(JSON.parse(await child.line('"apiRoot"')))
  const read = async (after: number) =>
    ledger.parse(await (await fetch(`${ready.apiRoot}/__ledger?after=${after}`)).json())
  const bot = ready.token.split(':', 1)[0] ?? ''
  const close = watchMessages({
    ...deps,
    read: async (after) =>
      (await read(after)).entries.map((call) => ({
        ...call,
        shown:
          call.method === 'sendMessage' && call.accepted
            ? {
                id: String(call.n),
                conversation: `telegram:${String(call.params['chat_id'])}`,
                text: String(call.params['text']),
              }
            : undefined,
      })),
  })

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
      const atMs = Date.now()
      const { update } = said.parse(await control({ do: 'sendText', from: person, text }))
      const id = `tg:${bot}:${update ?? 0}`
      const asked = { id, conversation: `telegram:${person}`, text, seq: update ?? 0, atMs }
      deps.talk.note(asked)
      return asked
    },
    rows: () => readRows(deps.redis, 'telegram'),
    close,
  }
}
