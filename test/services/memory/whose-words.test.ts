// Whose words records are, where they are given to a turn.
import { expect, test } from 'vitest'
import { whose } from '#services/memory/words.ts'

const of = (speaker: string, scope: string, taint?: string[]) => ({ speaker, scope, ...(taint ? { taint } : {}) })

test.each([
  ['their own', [of('web:ann', 'user:web:ann')], { source: 'person' }],
  ['another member’s', [of('web:bob', 'chat:web:1')], { source: 'others', taint: ['another member'] }],
  ['an owner’s for all', [of('web:boss', 'global')], { source: 'own' }],
  ['an owner’s, and their own', [of('web:boss', 'global'), of('web:ann', 'user:web:ann')], { source: 'own' }],
  ['an owner’s that a page said', [of('web:boss', 'global', ['a page'])], { source: 'others', taint: ['a page'] }],
])('%s', (_, records, expected) => expect(whose(records, 'web:ann')).toEqual(expected))
