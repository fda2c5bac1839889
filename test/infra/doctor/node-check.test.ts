// Doctor names a Node without the newest security fixes.
import { expect, test } from 'vitest'
import { checkNode, leastSecure } from '#infra/doctor/node-check.ts'

test.each(['24.21.0', '26.9.3', '26.10.0', '26.12.0'])('Node %s lacks security fixes', (version) => {
  expect(checkNode(version)).toMatchObject({ level: 'warning', found: expect.stringContaining(version) })
})

test.each([leastSecure, '26.13.0', '27.0.0'])('Node %s has them', (version) => {
  expect(checkNode(version)).toEqual({ level: 'ok', about: 'Node', found: version })
})
