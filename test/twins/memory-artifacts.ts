// Artifacts of the in-memory twin.
import type { Artifact } from '#shared/run/artifact.ts'
import type { Artifacts } from '#queues/artifacts/artifacts.ts'
import { openConversation, type MemoryArtifact, type MemoryConversation, type MemoryState } from './memory-state.ts'

const most = 500
const mostBytes = 4 * 1024 * 1024
const afterSessionMs = 7 * 86_400_000

const isThere = ({ overAtMs }: MemoryArtifact, atMs: number): boolean => atMs - overAtMs < afterSessionMs

/** As the keys of Redis end. */
function expireAll(c: MemoryConversation, atMs: number): void {
  if (atMs - c.sessionOverAtMs < afterSessionMs) return
  c.artifacts = []
  c.sessionOverAtMs = Infinity
}

export function keepArtifacts(c: MemoryConversation, given: readonly Artifact[], atMs: number): void {
  const [first] = given
  if (!first) return
  expireAll(c, atMs)
  const overAtMs = Math.min(c.sessionOverAtMs, atMs)
  for (const one of c.artifacts)
    if (one.overAtMs === Infinity && one.artifact.session !== first.session) one.overAtMs = overAtMs
  c.sessionOverAtMs = Infinity
  const names = new Set(given.map(({ name }) => name))
  const left = c.artifacts.filter((one) => isThere(one, atMs) && !names.has(one.artifact.name))
  const added = given.map((artifact) => ({ artifact, atMs, overAtMs: Infinity }))
  c.artifacts = [...left, ...added].slice(-most)
  while (c.artifacts.reduce((sum, { artifact }) => sum + Buffer.byteLength(artifact.text), 0) > mostBytes)
    c.artifacts.shift()
}

/** Of what ended before the time runs already. */
export function endSession(c: MemoryConversation, atMs: number): void {
  expireAll(c, atMs)
  if (c.artifacts.length > 0 && c.sessionOverAtMs === Infinity) c.sessionOverAtMs = atMs
}

export function forgetArtifacts(c: MemoryConversation, messageId: string): void {
  c.artifacts = c.artifacts.filter(({ artifact }) => !artifact.about.includes(messageId))
}

export function memoryArtifacts(state: MemoryState): Artifacts {
  const kept = (conversation: string) => {
    const atMs = state.nowMs()
    const c = openConversation(state, conversation)
    expireAll(c, atMs)
    return c.artifacts
      .filter((one) => isThere(one, atMs))
      .map((one) => ({ ...one.artifact, at: one.atMs, bytes: Buffer.byteLength(one.artifact.text) }))
  }
  return {
    findArtifact: async (conversation, name) => kept(conversation).find((one) => one.name === name),
    listArtifacts: async (conversation) =>
      kept(conversation).map((one) => {
        const { text: _, ...head } = one
        return head
      }),
  }
}
