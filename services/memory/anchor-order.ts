// In which order anchors are listed: the ten newest decisions, then constraints, patterns and metrics, older decisions, and what has expired.
import type { MemoryRecord } from '#shared/memory/record.ts'
import { isAnchor } from './anchor-words.ts'

const mostFirst = 10

export function inOrder(
  all: readonly MemoryRecord[],
  isOver: (record: MemoryRecord) => boolean,
): readonly MemoryRecord[] {
  const anchors = all
    .filter((one) => isAnchor(one) && one.supersededBy === undefined)
    .toSorted((a, b) => b.saidAt - a.saidAt)
  const [over, current] = [anchors.filter(isOver), anchors.filter((one) => !isOver(one))]
  const of = (kind: MemoryRecord['kind']): readonly MemoryRecord[] => current.filter((one) => one.kind === kind)
  const decisions = of('decision')
  return [
    ...decisions.slice(0, mostFirst),
    ...of('constraint'),
    ...of('pattern'),
    ...of('metric'),
    ...decisions.slice(mostFirst),
    ...over,
  ]
}
