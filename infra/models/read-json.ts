// Reads one value of JSON that stands within a text. Pure.

import { parseWritten } from './written-number.ts'

const mostLevels = 200

/** The value that begins at `from`, and where it ends; undefined where none does, or it is not whole. */
export function readJsonAt(text: string, from: number): { readonly value: unknown; readonly end: number } | undefined {
  const end = findEnd(text, from)
  if (end === undefined) return undefined
  const value = parseWritten(text.slice(from, end))
  return value === undefined ? undefined : { value, end }
}

function findEnd(text: string, from: number): number | undefined {
  const first = text.charAt(from)
  if (first !== '{' && first !== '[') {
    const plain = /"(?:[^"\\]|\\.)*"|[-+.\w]+/y
    plain.lastIndex = from
    return plain.test(text) ? plain.lastIndex : undefined
  }
  let levels = 0
  let isText = false
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at)
    if (isText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') {
      levels += 1
      if (levels > mostLevels) return undefined
    } else if (sign === '}' || sign === ']') {
      levels -= 1
      if (levels === 0) return at + 1
    }
  }
  return undefined
}
