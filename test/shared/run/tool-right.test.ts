// Who may use a tool: every case of what a chat and an owner may have said of it.
import { expect, test } from 'vitest'
import type { ToolEffect } from '#shared/model/tool.ts'
import { mayUse, type ToolRight } from '#shared/run/tool-right.ts'

const cases: readonly (readonly [ToolEffect, ToolRight, owner: boolean, others: boolean])[] = [
  ['read', {}, true, true],
  ['ask', {}, true, true],
  ['write-local', {}, true, true],
  ['write', {}, true, false],
  ['write', { chat: 'everybody' }, true, true],
  ['write', { person: 'allow' }, true, true],
  ['write', { chat: 'owners', person: 'allow' }, true, true],
  ['write', { person: 'deny' }, false, false],
  ['read', { chat: 'owners' }, true, false],
  ['read', { chat: 'owners', person: 'allow' }, true, true],
  ['read', { chat: 'nobody' }, false, false],
  ['read', { chat: 'nobody', person: 'allow' }, false, false],
  ['read', { chat: 'everybody', person: 'deny' }, false, false],
]

test.each(cases)('%s with %j: owners %s, others %s', (effect, right, owner, others) => {
  expect([mayUse(effect, right, true), mayUse(effect, right, false)]).toEqual([owner, others])
})
