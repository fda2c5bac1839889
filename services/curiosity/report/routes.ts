// The route of curiosity's page: what the fleet asked its people and what came of it, for owners. Counts only: neither words nor names of anybody.
import { countAsked, toTotal, type CountDeps, type Counts, type KindCounts } from './count-asked.ts'
import { BotError } from '#shared/errors.ts'
import type { DeskKind } from '#shared/desk/source.ts'
import type { Switch } from '#services/curiosity/desk/ports.ts'
import type { Access } from '#shared/feature/ports.ts'
import { toPageRoute, type PageRoute } from '#shared/feature/page.ts'

export type CuriosityPagePorts = {
  readonly access: Pick<Access, 'isOwner'>
  readonly desk: CountDeps
  /** Not left out by the operator's settings. */
  readonly isCurious: boolean
  readonly incurious: Pick<Switch, 'isQuiet'>
}

type Shown = {
  readonly isOn: boolean
  /** An owner has it stopped for everybody. */
  readonly isStopped: boolean
  /** How many people were counted, and whether there are more. */
  readonly people: number
  readonly isPart: boolean
  readonly waiting: number
  readonly total: Counts
  readonly kinds: readonly (KindCounts & { readonly retiredFor: number })[]
}

/** Who looks waits for it. The shell's report counts more. */
const mostPeople = 500

export const toRoutes = ({ access, desk, isCurious, incurious }: CuriosityPagePorts): readonly PageRoute[] => [
  toPageRoute({
    method: 'GET',
    path: 'counts',
    input: {},
    async handle({ principal, signal }): Promise<Shown> {
      if (!(await access.isOwner(principal, 'web:main')))
        throw new BotError('forbidden', 'Only an owner sees what the fleet asks.')
      const { people, isPart, kinds } = await countAsked(desk, mostPeople, signal)
      const retiredFor = (kind: DeskKind): number => people.filter(({ retired }) => retired.includes(kind)).length
      return {
        isOn: isCurious,
        isStopped: await incurious.isQuiet(),
        people: people.length,
        isPart,
        waiting: people.reduce((sum, { waiting }) => sum + waiting, 0),
        total: toTotal(kinds),
        kinds: kinds.map((one) => ({ ...one, retiredFor: retiredFor(one.kind) })),
      }
    },
  }),
]
