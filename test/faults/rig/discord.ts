// Discord's side of a fault test: the simulator as a process, people who write to the bot directly, and what they see. A row that is sent
// again under its nonce makes no second message, so messages are told apart by their ids.
import { setTimeout as sleep } from 'node:timers/promises'
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
  route: z.string(),
  channel: z.string().optional(),
  body: z.unknown().optional(),
  outcome: z.string(),
  accepted: z.boolean(),
  message: z.string().optional(),
})
type DiscordCall = z.infer<typeof entry>
const ledger = z.object({
  entries: z.array(entry),
  identifies: z.number(),
  resumes: z.number(),
  connectedShards: z.array(z.number()),
})
/** In the ids of Discord, whose lower 22 bits tell apart what is said in one millisecond. */
const minute = 60_000n << 22n
const content = z.object({ content: z.string() })

export type Discord = {
  readonly apiRoot: string
  readonly token: string
  readonly child: Child
  /** One command of the simulator's control endpoint. */
  control(command: { readonly do: string } & Record<string, unknown>): Promise<unknown>
  calls(): Promise<readonly DiscordCall[]>
  /** Sessions begun, and resumed. */
  sessions(): Promise<{ readonly identifies: number; readonly resumes: number }>
  /** Resolves once the bot is connected: of what was said before its first session Discord tells nothing. */
  connected(): Promise<void>
  /** The person of this number writes to the bot directly. */
  ask(person: number, text: string): Promise<Asked>
  /** Every outbox row of Discord conversations. */
  rows(): Promise<readonly OutboxRow[]>
  close(): void
}

export async function startDiscord(
  repository: string,
  deps: {
    readonly redis: PrivateRedis
    readonly talk: Transcripts
    readonly model: ModelProcess
    /** Variables by which it shares the clock of its fleet. */
    readonly time: Readonly<Record<string, string>>
  },
): Promise<Discord> {
  const args = [`${repository}/test/simulators/discord/main.ts`, '--port', '0']
  const child = startChild({ name: 'discord simulator', args, cwd: repository, env: deps.time })
  const ready = z.object({ apiRoot: z.string(), token: z.string() }).parse(JSON.parse(await child.line('"apiRoot"')))
  const { origin } = new URL(ready.apiRoot)
  const read = async (after: number) => ledger.parse(await (await fetch(`${origin}/__ledger?after=${after}`)).json())
  const close = watchMessages({
    ...deps,
    read: async (after) =>
      (await read(after)).entries.map((call) => {
        const { channel, message: id } = call
        const isShown = call.route === 'createMessage' && call.accepted && channel !== undefined && id !== undefined
        if (!isShown) return call
        return { ...call, shown: { id, conversation: `discord:${channel}`, text: toPlain(call.body) } }
      }),
  })
  const control: Discord['control'] = async (command) => {
    const reply = await fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify(command) })
    const answer = z.object({ ok: z.boolean(), result: z.unknown().optional() }).parse(await reply.json())
    if (!answer.ok) throw new Error(`The Discord simulator refused ${JSON.stringify(command)}`)
    return answer.result
  }
  const channels = new Map<number, Promise<string>>()
  let base: bigint | undefined
  const findChannel = async (person: string): Promise<string> =>
    z.object({ dm: z.string() }).parse(await control({ do: 'person', person })).dm
  return {
    child,
    ...ready,
    control,
    calls: async () => (await read(0)).entries,
    sessions: async () => await read(1e12),
    async connected() {
      while ((await read(1e12)).connectedShards.length === 0) await sleep(50)
    },
    async ask(person, text) {
      const name = `Person ${person}`
      const known = channels.get(person) ?? findChannel(name)
      channels.set(person, known)
      const channel = await known
      const atMs = Date.now()
      const message = z.string().parse(await control({ do: 'say', person: name, channel, text }))
      // Of what is said at once, the first answer may be to a later message.
      base ??= BigInt(message) - minute
      const seq = Number(BigInt(message) - base)
      const asked = { id: `dc:${message}`, conversation: `discord:${channel}`, text, seq, atMs }
      deps.talk.note(asked)
      return asked
    },
    rows: () => readRows(deps.redis, 'discord'),
    close,
  }
}

/** As people read it: without the marks that keep Discord from taking a sign for formatting. */
function toPlain(body: unknown): string {
  return content.parse(body).content.replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1')
}
