// How it is told that a record took the place of others. Each sentence stands behind another one, and is empty where there is nothing to tell.
import type { Language } from '#shared/chat/message.ts'
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import { toLabel } from './place.ts'

/** Where they stand. */
type Where = { readonly scope: MemoryScope; readonly language: Language }

function name(numbers: readonly number[], { scope, language }: Where): string {
  const labels = numbers.map((number) => toLabel({ scope, number }, { own: scope }))
  if (language === 'zh') return `第 ${labels.join('、')} 条`
  return `${labels.length === 1 ? 'number' : 'numbers'} ${labels.join(', ')}`
}

export function tellReplaced(numbers: readonly number[], where: Where): string {
  if (numbers.length === 0) return ''
  return where.language === 'zh'
    ? `。它取代了${name(numbers, where)}。`
    : `. It takes the place of ${name(numbers, where)}.`
}

/** It is kept, and something that is said to be newer counts: a message came late, or a clock was wrong. */
export function tellBehind({ supersededBy }: MemoryRecord, where: Where): string {
  if (supersededBy === undefined) return ''
  const other = name([supersededBy], where)
  return where.language === 'zh'
    ? `。${other}的时间更晚，以那条为准；不对的话请先忘掉那条。`
    : `. By its time ${other} is newer and counts; if that is wrong, forget that one.`
}

export function tellConflict({ number }: MemoryRecord, where: Where): string {
  const other = name([number], where)
  return where.language === 'zh' ? `。它和${other}不一致，两条都在。` : `. It disagrees with ${other}; I keep both.`
}

/** After the newer one was taken back. */
export function tellAgain(numbers: readonly number[], where: Where): string {
  if (numbers.length === 0) return ''
  const named = name(numbers, where)
  if (where.language === 'zh') return `${named}重新有效。`
  return ` ${named.charAt(0).toUpperCase()}${named.slice(1)} ${numbers.length === 1 ? 'holds' : 'hold'} again.`
}
