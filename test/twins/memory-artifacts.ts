// Artifacts of the in-memory twin.
import { isTask } from '#shared/chat/address.ts'
import { BotError } from '#shared/errors.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import type { Append } from '#shared/run/step.ts'
import type { Artifacts } from '#queues/artifacts/artifacts.ts'
import { openConversation, type MemoryArtifact, type MemoryConversation, type MemoryState } from './memory-state.ts'

const megabyte = 1024 * 1024
const boundsOf = ({ id }: MemoryConversation) =>
  isTask(id) ? { most: 2000, mostBytes: 24 * megabyte } : { most: 500, mostBytes: 4 * megabyte }
const afterSessionMs = 7 * 86_400_000

const isThere = ({ overAtMs }: MemoryArtifact, atMs: number): boolean => atMs - overAtMs < afterSessionMs

/** As the keys of Redis end. */
function expireAll(c: MemoryConversation, atMs: number): void {
  if (isTask(c.id) || atMs - c.sessionOverAtMs < afterSessionMs) return
  c.artifacts = []
  c.sessionOverAtMs = Infinity
}

type Given = Pick<Append, 'artifacts' | 'dropsArtifacts'>

const sizeOf = (artifacts: readonly Artifact[]): number =>
  artifacts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)

/** Of a task's work nothing goes for want of room. */
export function expectRoomForWork(c: MemoryConversation, { artifacts = [], dropsArtifacts = [] }: Given): void {
  if (!isTask(c.id) || artifacts.length === 0) return
  const goes = new Set([...dropsArtifacts, ...artifacts.map(({ name }) => name)])
  const before = c.artifacts.map(({ artifact }) => artifact).filter(({ name }) => !goes.has(name))
  // Of several under one name in a step the store counts each.
  const work = [...before, ...artifacts].filter(({ kind }) => kind === 'work')
  const { most, mostBytes } = boundsOf(c)
  if (work.length > most || sizeOf(work) > mostBytes)
    throw new BotError('internal', `No task may keep more than ${most} texts or ${mostBytes} bytes of them.`)
}

export function keepArtifacts(c: MemoryConversation, given: Given, atMs: number): void {
  const { artifacts = [], dropsArtifacts = [] } = given
  const [first] = artifacts
  c.artifacts = c.artifacts.filter(({ artifact }) => !dropsArtifacts.includes(artifact.name))
  if (!first) return
  expireAll(c, atMs)
  const overAtMs = Math.min(c.sessionOverAtMs, atMs)
  if (!isTask(c.id))
    for (const one of c.artifacts)
      if (one.overAtMs === Infinity && one.artifact.session !== first.session) one.overAtMs = overAtMs
  c.sessionOverAtMs = Infinity
  const names = new Set(artifacts.map(({ name }) => name))
  const left = c.artifacts.filter((one) => isThere(one, atMs) && !names.has(one.artifact.name))
  // Of several under one name in a step the last one stays.
  const last = artifacts.filter(({ name }, at) => artifacts.findLastIndex((one) => one.name === name) === at)
  const added = last.map((artifact) => ({ artifact, atMs, overAtMs: Infinity }))
  c.artifacts = [...left, ...added]
  const { most, mostBytes } = boundsOf(c)
  const isTooMuch = (): boolean =>
    c.artifacts.length > most || sizeOf(c.artifacts.map(({ artifact }) => artifact)) > mostBytes
  const mayGo = ({ artifact }: MemoryArtifact): boolean => !isTask(c.id) || artifact.kind !== 'work'
  while (isTooMuch()) c.artifacts = c.artifacts.toSpliced(c.artifacts.findIndex(mayGo), 1)
}

/** Of what ended before the time runs already. */
export function endSession(c: MemoryConversation, atMs: number): void {
  if (isTask(c.id)) return
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
