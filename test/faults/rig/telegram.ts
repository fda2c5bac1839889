// Telegram's side of a fault test: the simulator as a process, people who write to the bot, and what they see.
import { z } from 'zod'
import { startSimulator, withToken, type SimulatorDeps, type SimulatorProcess } from './simulator-process.ts'
import type { Asked } from './transcripts.ts'

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

export type Telegram = SimulatorProcess<TelegramCall> & {
  readonly token: string
  pendingUpdates(): Promise<number>
  pushes(): Promise<number>
  /** A person with this id writes in their private chat. */
  ask(person: number, text: string): Promise<Asked>
}

export async function startTelegram(repository: string, deps: SimulatorDeps): Promise<Telegram> {
  const simulator = await startSimulator(repository, deps, {
    name: 'telegram',
    ready: withToken,
    ledger,
    toShown: ({ n, method, accepted, params }) =>
      method === 'sendMessage' && accepted
        ? { id: String(n), conversation: `telegram:${String(params['chat_id'])}`, text: String(params['text']) }
        : undefined,
  })
  const bot = simulator.token.split(':', 1)[0] ?? ''
  return {
    ...simulator,
    pendingUpdates: async () => (await simulator.summary()).pendingUpdates,
    pushes: async () => (await simulator.summary()).pushes.length,
    async ask(person, text) {
      const atMs = Date.now()
      const { update } = said.parse(await simulator.control({ do: 'sendText', from: person, text }))
      const id = `tg:${bot}:${update ?? 0}`
      const asked = { id, conversation: `telegram:${person}`, text, seq: update ?? 0, atMs }
      deps.talk.note(asked)
      return asked
    },
  }
}
