// How many conversations that may kill their process run at once. One death does not tell which of all that ran there caused it: those
// that were there twice go on in ever smaller company, until a deadly one dies alone and the others have proved harmless.
import { createGate, type Gate } from './start-gate.ts'

/** By how often something was started in vain before: from the third start on 16, then 4, then one at a time. */
const sizes: readonly number[] = [16, 4, 1]
const startsInAnyCompany = 2

/** The gate for a start, which is the `attempts`-th; undefined for one of no suspicion. */
export type Company = (attempts: number) => Gate | undefined

export function createCompany(): Company {
  const gates = sizes.map(createGate)
  return (attempts) =>
    attempts > startsInAnyCompany ? (gates[attempts - startsInAnyCompany - 1] ?? gates.at(-1)) : undefined
}
