// Artifacts on Redis: `append` writes them, and one unit reads them.
import { artifactHead, type KeptArtifact, type KeptHead } from '#shared/run/artifact.ts'
import { readStored } from '#shared/stored-json.ts'
import { groups, integer, text } from '#queues/reply.ts'
import type { CallOf } from '#queues/units.ts'
import type { Artifacts } from './artifacts.ts'

export function createRedisArtifacts(callOf: CallOf): Artifacts {
  const read = (answer: readonly unknown[]): readonly KeptArtifact[] =>
    groups(answer, 4).map(([at, bytes, json, said]) => {
      const { v: _, ...head } = readStored('artifact', artifactHead, text(json))
      return { ...head, at: integer(at), bytes: integer(bytes), text: text(said) }
    })
  const toHead = (kept: KeptArtifact): KeptHead => {
    const { text: _, ...head } = kept
    return head
  }
  return {
    findArtifact: async (address, name) =>
      name === '' ? undefined : await callOf('artifacts', address, [name], (answer) => read(answer)[0]),
    listArtifacts: async (address) => (await callOf('artifacts', address, [''], read)).map(toHead),
  }
}
