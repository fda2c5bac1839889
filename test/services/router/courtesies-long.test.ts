// The reader of courtesies asks for them at place after place of a message, so each must be linear also as a search from every place.
import { expect, test } from 'vitest'
import { formsOf } from '#services/router/grammar.ts'
import { findSlow } from '#test/architecture/patterns/find-slow.ts'

const { saying, hanSaying, beside } = formsOf('courtesy')

test.each([saying, hanSaying, beside])(
  'words of courtesy over and over are read in steps that grow with the text alone',
  (form) => {
    expect(findSlow(form)).toBeUndefined()
  },
  60_000,
)
