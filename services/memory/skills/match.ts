// Which skills fit a request: by the share of a trigger's tokens that the request holds. Stop words and other forms of a word do not count (`toTokens`). Pure.
import type { Skill } from '#shared/memory/skill.ts'
import { toTokens } from '#services/memory/search/tokens.ts'

/** Above it its steps are to be followed; above the other it is shown, and may be disregarded (seed 001 §2.1). */
const follows = 0.8
const refers = 0.6
const mostSkills = 2

/** A whole word that stands there for exactness besides its parts. */
const isExact = (token: string): boolean => /^x(?:[0-9a-f]{2}){3,}$/.test(token)

/** How people say that something is asked for. */
const asking =
  /^(?:when(?:ever)? |if )?(?:i|we|the user|users?|a user|somebody|someone)[ \t]{1,3}(?:requests?|asks?(?: you| me)?(?: for| to| about)?|wants?(?: to)?|needs?(?: to)?)(?![a-z])|^(?:每?当)?(?:用户|我们?|大家|有人)(?:提出|请求|要求|询问|需要|想要|希望|让你|要你)(?:你)?|^需要/iu

const toDistinct = (text: string): readonly string[] => [...new Set(toTokens(text))].filter((token) => !isExact(token))

/** 0 to 1, of the trigger that the request holds most of. */
export function likenessOf({ triggers }: Pick<Skill, 'triggers'>, asked: ReadonlySet<string>): number {
  const shares = triggers.map((trigger) => {
    const bare = toDistinct(trigger.replace(asking, ''))
    const tokens = bare.length > 0 ? bare : toDistinct(trigger)
    return tokens.length === 0 ? 0 : tokens.filter((token) => asked.has(token)).length / tokens.length
  })
  return Math.max(0, ...shares)
}

export type Fitting<T> = { readonly one: T; readonly how: 'follow' | 'refer' }

/** The likest first, two at most; of two that are as like the earlier one in the list. */
export function findFitting<T extends { readonly skill: Pick<Skill, 'triggers'> }>(
  all: readonly T[],
  request: string,
): readonly Fitting<T>[] {
  if (all.length === 0) return []
  const asked = new Set(toTokens(request))
  return all
    .map((one) => ({ one, likeness: likenessOf(one.skill, asked) }))
    .filter(({ likeness }) => likeness > refers)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, mostSkills)
    .map(({ one, likeness }) => ({ one, how: likeness > follows ? 'follow' : 'refer' }))
}
