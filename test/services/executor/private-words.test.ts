// Words that are for one person's eyes: whatever the executor repeats to others leaves them out, and what comes of them by tools too.
import { expect, test } from 'vitest'
import { findSaid } from '#services/executor/compaction/originals.ts'
import { toMaterial, toPlainSummary } from '#services/executor/compaction/transcript.ts'
import { visibleTo, type HistoryItem } from '#services/executor/state/history-item.ts'
import { findArtifact } from '#services/executor/run/find-artifact.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { builtIn, createStage, type Stage } from './stage.ts'

const bob = 'web:bob'
const secret = 'canary81234'
const whispers: Feature = {
  name: 'whispers',
  commands: [
    {
      name: 'whisper',
      help: { zh: '', en: '' },
      run: async ({ args }) => [{ kind: 'turn', text: args, for: ann }],
    },
    {
      name: 'lines',
      help: { zh: '', en: '' },
      run: async ({ state }) => {
        const { lines } = await state.transcript()
        return [{ kind: 'send', text: [...lines, `last: ${state.lastText ?? 'none'}`].join('\n') }]
      },
    },
  ],
}
const inGroup = { group: true, name: 'Ann', addressed: true } as const
const open = (): Stage => createStage({ features: [...builtIn, whispers] })
const whisper = (stage: Stage, text: string): Promise<string> =>
  stage.ask('/whisper', { ...inGroup, as: toCommand('whisper', text) })
const lines = (stage: Stage, principal: string): Promise<string> =>
  stage.ask('/lines', { ...inGroup, principal, name: principal, as: toCommand('lines') })
const prompt = ({ requests }: Stage): string => JSON.stringify(requests.at(-1)?.messages)

test('the turn of whom they are for works with them, and only what it answers is for all', async () => {
  const stage = open()
  const note = { id: 'n', name: 'note_write', arguments: JSON.stringify({ title: 'Pay', text: secret }) }
  stage.answers({ toolCalls: [note], text: `I note ${secret}.` }, 'Thanks.')
  await whisper(stage, `It is ${secret}`)
  expect(prompt(stage)).toContain('nothing is kept while this turn works on what a person answered in private')
  const { history } = await stage.state()
  expect(history.map((item) => item.for)).toEqual([ann, ann, ann, undefined])
  expect(JSON.stringify(visibleTo(history, bob))).not.toContain(secret)
  expect(JSON.stringify(visibleTo(history))).not.toContain(secret)
  expect(visibleTo(history, ann)).toBe(history)
  expect(stage.steps.flatMap(({ records = [] }) => records)).toMatchObject([{ record: { for: ann } }])
})

test('nobody else may have them asked again, in a file or in a prompt, and who may has them again as private', async () => {
  const stage = open()
  await whisper(stage, `It is ${secret}`)
  for (const principal of [ann, bob]) expect(await lines(stage, principal)).not.toContain(`user: It is ${secret}`)
  expect(await lines(stage, bob)).toContain('last: none')
  await stage.ask('And?', { ...inGroup, principal: bob, name: 'Bob' })
  expect(prompt(stage)).not.toContain(secret)
  await whisper(stage, `It is ${secret}`)
  await stage.ask('/retry', { ...inGroup, as: toCommand('retry') })
  expect(prompt(stage)).toContain(secret)
  expect((await stage.state()).history.filter(({ text }) => text.includes(secret)).map((item) => item.for)).toEqual([
    ann,
    ann,
    ann,
  ])
  await stage.ask('And now?', { ...inGroup, principal: bob, name: 'Bob' })
  expect(prompt(stage)).not.toContain(secret)
})

test('a later turn that has them in its prompt keeps nothing either', async () => {
  const stage = open()
  await whisper(stage, `It is ${secret}`)
  const note = { id: 'n', name: 'note_write', arguments: JSON.stringify({ title: 'Pay', text: secret }) }
  stage.answers({ toolCalls: [note] }, 'No.')
  await stage.ask('Note it', inGroup)
  expect(JSON.stringify([...(await stage.state()).slices])).not.toContain(secret)
  stage.answers({ toolCalls: [note] }, 'Yes.')
  await stage.ask('Note it', { ...inGroup, principal: bob, name: 'Bob' })
  expect(JSON.stringify([...(await stage.state()).slices])).toContain('Pay')
})

test('a summary has nothing of them, nor has what is found again of what was summed up', async () => {
  const stage = open()
  await whisper(stage, `It is ${secret}`)
  const state = await stage.state()
  const items: readonly HistoryItem[] = state.history
  const estimate = (text: string): number => text.length
  expect(toMaterial('', [items], { most: 10_000, estimate })).not.toContain(secret)
  expect(toPlainSummary('', [items])).not.toContain(secret)
  const store = { listArtifacts: async () => [], findArtifact: async () => undefined }
  const said = async (principal: string): Promise<string> => JSON.stringify(await findSaid({ store, state }, principal))
  expect(await said(bob)).not.toContain(secret)
  expect(await said(ann)).toContain(secret)
})

test('a long one that is kept whole is read by nobody else', async () => {
  const stage = open()
  await whisper(stage, `${secret} ${'word '.repeat(4000)}`)
  const artifact = stage.steps.flatMap(({ artifacts = [] }) => artifacts).find(({ kind }) => kind === 'message')
  if (!artifact) throw new Error('Nothing was kept whole.')
  const store = { findArtifact: async () => ({ ...artifact, at: 1, bytes: 1 }) }
  expect(await findArtifact(store, bob, artifact.name)).toBeUndefined()
  expect(JSON.stringify(await findArtifact(store, ann, artifact.name))).toContain(secret)
})
