// The numbered steps of a connecting document, `infra/docs/<channel>.md`, and what doctor says of each. Only what is left out is called
// wrong: a step that could not be done before another one waits for that, and what could not be looked at is said to be so.
import type { Finding } from '#infra/checks/finding.ts'

export type Verdict<Id extends string> =
  | { readonly kind: 'ok'; readonly found: string }
  | { readonly kind: 'wrong'; readonly found: string; readonly fix: string }
  /** Done as far as later steps need it; something is gone without. */
  | { readonly kind: 'partly'; readonly found: string; readonly fix: string }
  /** The network or Redis did not let anybody look. */
  | { readonly kind: 'unseen'; readonly found: string }
  | { readonly kind: 'waits'; readonly on: Id }

export type Step<Id extends string, Facts> = {
  readonly id: Id
  /** As the document words it, in bold. */
  readonly title: string
} & (
  | {
      /** Without these it cannot be done. */
      readonly after?: readonly Id[]
      look(facts: Facts): Verdict<Id>
    }
  /** No interface shows it: a later step fails without it. */
  | { readonly seenThrough: Id }
)

export function judgeSteps<Id extends string, Facts>(
  channel: string,
  steps: readonly Step<Id, Facts>[],
  facts: Facts,
): Finding[] {
  const number = (id: Id): number => numberOf(steps, id)
  const judge = (id: Id): Verdict<Id> => {
    const step = steps.find((one) => one.id === id)
    if (!step || !('look' in step)) return ok('')
    const verdict = step.look(facts)
    if (verdict.kind !== 'wrong') return verdict
    for (const earlier of step.after ?? []) {
      const first = judge(earlier)
      if (first.kind !== 'ok' && first.kind !== 'partly') return first.kind === 'waits' ? first : waits(earlier)
    }
    return verdict
  }
  const judged = steps.filter((step) => 'look' in step).map(({ id, title }) => ({ id, title, verdict: judge(id) }))
  const waiting = judged.filter(({ verdict }) => verdict.kind === 'waits').map(({ id }) => number(id))
  const found = 'not looked at yet, for another step comes first'
  return [
    ...judged.flatMap(({ id, title, verdict }) => toFinding(`${channel} step ${number(id)}, ${title}`, verdict)),
    ...(waiting.length > 0
      ? [
          {
            level: 'waits',
            about: `${channel} step${waiting.length > 1 ? 's' : ''} ${waiting.join(', ')}`,
            found,
          } as const,
        ]
      : []),
  ]
}

/** Nothing for a step that waits. */
function toFinding<Id extends string>(about: string, verdict: Verdict<Id>): Finding[] {
  switch (verdict.kind) {
    case 'ok':
      return [{ level: 'ok', about, found: verdict.found }]
    case 'wrong':
      return [{ level: 'error', about, found: verdict.found, fix: verdict.fix }]
    case 'partly':
      return [{ level: 'warning', about, found: verdict.found, fix: verdict.fix }]
    case 'unseen':
      return [{ level: 'warning', about, found: `could not look: ${verdict.found}` }]
    case 'waits':
      return []
    default:
      return verdict satisfies never
  }
}

/** From 1, as in the document. */
export function numberOf<Id extends string>(steps: readonly { readonly id: Id }[], id: Id): number {
  return steps.findIndex((step) => step.id === id) + 1
}

export const ok = (found: string) => ({ kind: 'ok', found }) as const
export const wrong = (found: string, fix: string) => ({ kind: 'wrong', found, fix }) as const
export const partly = (found: string, fix: string) => ({ kind: 'partly', found, fix }) as const
export const unseen = (found: string) => ({ kind: 'unseen', found }) as const
export const waits = <Id extends string>(on: Id) => ({ kind: 'waits', on }) as const

/** `a, b, c and 7 more`. */
export function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
