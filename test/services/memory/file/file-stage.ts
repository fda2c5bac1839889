// /memory file on a stage, with a memory of its own that a test may look into.
import type { MessageEvent } from '#shared/chat/event.ts'
import { memoryCapability } from '#services/memory/memory.ts'
import { remembered } from '#test/rig/remembered.ts'
import { toCommand } from '#test/rig/events.ts'
import { builtIn, createStage } from '#test/services/executor/stage.ts'
import { stagePorts } from '#test/services/executor/stage-ports.ts'
import { createMemoryGraph } from '#test/twins/memory-graph.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

export const scope = 'user:web:ann'
/** 2026-03-01, noon. */
const saidAt = 1_772_366_400_000

export function openFileStage() {
  const memory = createMemoryStore()
  const feature = memoryCapability.create({
    ...stagePorts,
    memory,
    graph: createMemoryGraph(),
    ask: async () => ({ kind: 'refused', why: 'model-failed' }) as const,
  })
  if (!feature) throw new Error('Memory has a feature.')
  const stage = createStage({
    isOwner: async (principal) => principal === 'web:ann',
    features: [...builtIn.filter(({ name }) => name !== 'memory'), feature],
  })
  const send = (args: string, more: Partial<MessageEvent> = {}): Promise<string> =>
    stage.ask(`/memory ${args}`, { as: toCommand('memory', args), command: { name: 'memory', args }, ...more })
  return {
    memory,
    stage,
    /** `/memory file` with this behind it. */
    sendFile: (text: string, more?: Partial<MessageEvent>) => send(`file\n${text}`, more),
    /** The file as it is given, out of its block of code. */
    async print(more?: Partial<MessageEvent>): Promise<string> {
      const said = await send('file', more)
      return /`{3,}markdown\n([\s\S]*)\n`{3,}/.exec(said)?.[1] ?? ''
    },
    keep: (text: string, more: Parameters<typeof remembered>[2] = {}, at = scope) =>
      memory.write(at, remembered(text, { conversation: 'web:stage', message: `of ${text}` }, { saidAt, ...more })),
    /** The texts that hold, in the order of their numbers. */
    async texts(at = scope): Promise<readonly string[]> {
      const read = await memory.read(at)
      if (read === 'same') return []
      return read.records
        .filter((one) => one.supersededBy === undefined)
        .map(({ text }) => text)
        .toReversed()
    },
    async version(): Promise<string> {
      const read = await memory.read(scope)
      return read === 'same' ? '' : read.version
    },
  }
}

/** One of each section. */
export async function keepSome({ keep }: Pick<ReturnType<typeof openFileStage>, 'keep'>): Promise<void> {
  await keep('I live in Lyon')
  await keep('我喜欢喝茶', { kind: 'preference' })
  await keep('call Bob', { kind: 'todo' })
  await keep('We use Redis', { kind: 'decision' })
  await keep('Ann works at night', {
    status: 'unconfirmed',
    origin: 'inferred',
    from: [{ conversation: 'web:stage', messages: ['m8', 'm9'] }],
  })
}
