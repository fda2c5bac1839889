// Discord's side of a fault test: the simulator as a process, people who write to the bot directly, and what they see. A row that is sent
// again under its nonce makes no second message, so messages are told apart by their ids.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startSimulator, withToken, type SimulatorDeps, type SimulatorProcess } from './simulator-process.ts'
import type { Asked } from './transcripts.ts'

const entry = z.object({
  n: z.number(),
  at: z.number(),
  route: z.string(),
  /** Method and path. */
  call: z.string(),
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

export type Discord = SimulatorProcess<DiscordCall> & {
  readonly token: string
  /** Sessions begun, and resumed. */
  sessions(): Promise<{ readonly identifies: number; readonly resumes: number }>
  /** Resolves once the bot is connected: of what was said before its first session Discord tells nothing. */
  connected(): Promise<void>
  /** The person of this number writes to the bot directly. */
  ask(person: number, text: string): Promise<Asked>
}

export async function startDiscord(repository: string, deps: SimulatorDeps): Promise<Discord> {
  const simulator = await startSimulator(repository, deps, {
    name: 'discord',
    ready: withToken,
    ledger,
    toShown: ({ route, accepted, channel, message: id, body }) =>
      route === 'createMessage' && accepted && channel !== undefined && id !== undefined
        ? { id, conversation: `discord:${channel}`, text: toPlain(body) }
        : undefined,
  })
  const { control } = simulator
  const channels = new Map<number, Promise<string>>()
  let base: bigint | undefined
  const findChannel = async (person: string): Promise<string> =>
    z.object({ dm: z.string() }).parse(await control({ do: 'person', person })).dm
  return {
    ...simulator,
    sessions: simulator.summary,
    async connected() {
      while ((await simulator.summary()).connectedShards.length === 0) await sleep(50)
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
  }
}

/** As people read it: without the marks that keep Discord from taking a sign for formatting. */
function toPlain(body: unknown): string {
  return content.parse(body).content.replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1')
}
