// `flotilla curiosity report` as people read it: tables of counts, without a word of anybody.
import { countNames, toTotal, type Counted, type Counts } from '#services/curiosity/report/count-asked.ts'

export type CuriosityReport = {
  /** Not left out by the settings. */
  readonly isOn: boolean
  /** An owner has it stopped for everybody. */
  readonly isStopped: boolean
  readonly asked: Counted
  /** By why they were dropped, questions that the model would have asked, since ever. */
  readonly dropped: Readonly<Record<string, number>>
  /** Spent by the budget `curiosity`; `usd` where prices are known. */
  readonly today: { readonly calls: number; readonly tokens: number; readonly usd?: number }
}

type Row = readonly [name: string, ...cells: readonly string[]]

/** Ends with a line break. */
export function printReport({ isOn, isStopped, asked, dropped, today }: CuriosityReport): string {
  const { kinds, people, isPart } = asked
  const retired = people.flatMap(({ principal, kinds: own, retired: few }) =>
    own
      .filter(({ kind }) => few.includes(kind))
      .map((one): Row => [principal, one.kind, `${one.answered + one.undone} of ${one.asked} answered`]),
  )
  const waiting = people.reduce((sum, one) => sum + one.waiting, 0)
  const parts = [
    ...(isOn ? [] : ['Curiosity is off: FLOTILLA_CURIOSITY=off.']),
    ...(isStopped
      ? ['An owner has stopped all questions by /curiosity stop all. /curiosity start all lifts that.']
      : []),
    toPart('What was asked within the last 400 days, and what came of it, by kind', [
      ['kind', ...countNames, 'part answered'],
      ...kinds.map((one): Row => [one.kind, ...toCells(one)]),
      ['all', ...toCells(toTotal(kinds))],
    ]),
    people.length === 0
      ? 'Nobody was asked yet, and nothing waits.'
      : toPart(`By person${isPart ? `, the ${people.length} who were asked last` : ''}`, [
          ['person', ...countNames, 'part answered', 'waiting'],
          ...people.map((one): Row => [one.principal, ...toCells(toTotal(one.kinds)), String(one.waiting)]),
        ]),
    `Waiting to be asked: ${waiting}.`,
    retired.length === 0
      ? 'No kind of question has stopped by itself.'
      : toPart('Stopped by themselves, since too few were answered', retired),
    ...toDropped(dropped),
    `Budget curiosity today: ${today.calls} calls, ${today.tokens} tokens${today.usd === undefined ? '' : `, $${today.usd}`}.`,
  ]
  return `${parts.join('\n\n')}\n`
}

function toDropped(dropped: CuriosityReport['dropped']): readonly string[] {
  const rows = Object.entries(dropped).map(([why, times]): Row => [why, String(times)])
  return [
    rows.length === 0
      ? 'No question of the model was dropped.'
      : toPart('Dropped of what the model asked, since ever', rows),
  ]
}

const toCells = (counts: Counts): readonly string[] => [
  ...countNames.map((name) => String(counts[name])),
  counts.asked === 0 ? '–' : `${Math.round((100 * counts.answered) / counts.asked)} %`,
]

/** Names stand to the left, numbers to the right. */
function toPart(title: string, rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  )
  return [`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n')
}
