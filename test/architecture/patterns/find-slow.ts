// Finds regular expressions whose search takes longer than the text is long: twice the text must not cost more than twice the steps.
import { parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp'
import { attacksOn } from './attack-texts.ts'
import { createStepCount } from './step-count.ts'

/** A sign that fits hardly anything, so that the search fails in the end. */
const end = 'ᚠ'
const mostGrowth = 2.6
/** Steps per character that no expression needs, however long the text. */
const mostPerSign = 400
/** A short text tells most; that a limited repetition has an end shows only on a longer one. */
const lengths = [80, 600] as const

/** Why an expression is slow, and what to do; undefined when no text is found on which it is. */
export function findSlow(pattern: RegExp): string | undefined {
  return findSlowLook(pattern) ?? findSlowText(pattern)
}

function findSlowText(pattern: RegExp): string | undefined {
  const count = createStepCount(pattern)
  for (const { lead, pump } of attacksOn(pattern)) {
    const steps = (signs: number): number => count(lead + pump.repeat(Math.ceil(signs / pump.length)) + end)
    const isSlow = (signs: number): boolean => {
      const once = steps(signs)
      return once > mostPerSign * signs || (once > signs && steps(2 * signs) > mostGrowth * once)
    }
    if (!lengths.every(isSlow)) continue
    const text = `${JSON.stringify(lead)} and then ${JSON.stringify(pump)} over and over`
    const cost = `${steps(lengths[1]).toPrecision(2)} steps on ${lengths[1]} characters of ${text}`
    return `takes ${cost}; let no two ways lead to the same place, or limit the repetition`
  }
  return undefined
}

/** Look-arounds are asked again and again, so what they hold must have an end, and not too many ways to it. */
function findSlowLook({ source, flags }: RegExp): string | undefined {
  let found: string | undefined
  const mode = flags.replace(/[gy]/gu, '')
  visitRegExpAST(parseRegExpLiteral(new RegExp(source, mode)), {
    onAssertionEnter(look) {
      if (!('alternatives' in look) || found !== undefined) return
      const inside = look.alternatives.map(({ raw }) => raw).join('|')
      visitRegExpAST(look, {
        onQuantifierEnter({ max, raw }) {
          if (max === Infinity) found ??= `repeats ${raw} without a limit in a look-around; give it one`
        },
      })
      found ??= findSlow(new RegExp(`^(?:${inside})`, mode))
    },
  })
  return found
}
