// How property tests run: with one seed, so that a commit passes or fails alike wherever it is tested. FLOTILLA_SEED=random looks for
// what that seed does not find, and a number repeats a run; FLOTILLA_RUNS times as many cases are tried.
const given = process.env['FLOTILLA_SEED'] ?? '20261122'

/** The seed of this process. */
export const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given)
if (!Number.isInteger(seed)) throw new Error(`FLOTILLA_SEED is "${given}"; give a whole number, or "random".`)

const times = Number(process.env['FLOTILLA_RUNS'] ?? 1)
if (!(times > 0))
  throw new Error(`FLOTILLA_RUNS is "${process.env['FLOTILLA_RUNS']}"; give a number, how many times as many cases.`)

/** Parameters for `fc.assert`. */
export function runs(count: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: Math.ceil(count * times) }
}
