// What comes in is cleaned and bounded before it is stored, whatever part of a message it stands in.
import { expect, test } from 'vitest'
import { prepareEvent } from '#queues/workers/ingest-event.ts'
import { message } from '#test/rig/events.ts'

test('what stands behind a command is cut and cleaned as its text is', async () => {
  const args = `# CONFIG\r\n\u202ea${'x'.repeat(256_000)}`
  const said = message({ text: `/config ${args}`, command: { name: 'config', args } })
  const { event } = await prepareEvent({}, said, { dedupeKey: 'k' })
  if (event.kind !== 'message') throw new Error('It is no message any more.')
  expect(event.truncated).toBe(true)
  expect(event.command?.args.length).toBeLessThanOrEqual(32_000)
  expect(event.command?.args.startsWith('# CONFIG\nax')).toBe(true)
})
