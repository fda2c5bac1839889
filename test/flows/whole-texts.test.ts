// A conversation on the real fleet in which the model asks for several things at once, one of them long, and reads on in it.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'

const line = 'Nothing of interest stands in this line, whoever reads it.\n\n'
const page = `# Gardens\n\n${line.repeat(200)}## Prices\n\nA ticket costs seven euro.\n\n${line.repeat(200)}The end.`

/** Two readers, each of which waits for the other one. */
function library(): Feature {
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const read = (name: string, own: number, text: string): Tool => ({
    name,
    description: 'Reads.',
    parameters: { type: 'object' },
    effect: 'read',
    onCrash: 'rerun',
    run: async () => {
      both[own]?.resolve()
      await both[1 - own]?.promise
      return { text, source: 'others' }
    },
  })
  return { name: 'library', tools: [read('read_page', 0, page), read('read_note', 1, 'a short note')] }
}

test('several readers run at once, and of a long text the model reads what was asked, then its end', async () => {
  await using fleet = await startFleet({ features: [library()] })
  const call = (name: string, input: object = {}) => ({ name, arguments: JSON.stringify(input) })
  const asked = 'What does a ticket cost?'
  fleet.model.script({
    when: { text: asked, last: 'user' },
    answer: { kind: 'tools', calls: [call('read_page'), call('read_note')] },
  })
  fleet.model.script({ when: { text: asked }, answer: { kind: 'text', text: 'Seven euro.' } })
  expect((await fleet.ask(asked)).text).toContain('Seven euro.')
  const [long = '', short] = readBy(fleet)
  expect(long).toContain('A ticket costs seven euro.')
  expect(long).not.toContain('The end.')
  expect(short).toBe('a short note')
  const [artifact] = await fleet.runtime.kernel.listArtifacts('web:room')
  expect(artifact).toMatchObject({ kind: 'result', source: 'others', bytes: Buffer.byteLength(page) })
  expect(long).toContain(`artifact_read {"name":"${artifact?.name}"}`)
  const more = 'How does it end?'
  fleet.model.script({
    when: { text: more, last: 'user' },
    answer: { kind: 'tools', calls: [call('artifact_read', { name: artifact?.name, page: 8 })] },
  })
  fleet.model.script({ when: { text: more }, answer: { kind: 'text', text: 'With its end.' } })
  expect((await fleet.ask(more)).text).toContain('With its end.')
  expect(readBy(fleet).at(-1)).toMatch(/^\[page 8 of 8\][^]*The end\.$/)
})

/** What tools said in the last prompt. */
const readBy = (fleet: Fleet): readonly string[] =>
  (fleet.model.ledger.entries.at(-1)?.messages ?? []).flatMap((one) =>
    one.role === 'tool' && typeof one.content === 'string' ? [one.content] : [],
  )
