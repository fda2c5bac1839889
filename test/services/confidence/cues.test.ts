// Every cue against its own examples: what it says it finds it finds, and near misses it leaves.
import { describe, expect, it } from 'vitest'
import { compile, cues, type Cue } from '#services/confidence/cues.ts'
import { readText } from '#services/confidence/read-text.ts'

const named = Object.entries(cues).flatMap(([section, rules]) =>
  Object.entries<Cue>(rules).map(([name, cue]) => ({ name: `${section} ${name}`, cue })),
)

/** What is wrong with a cue, a sentence each. */
function findFaults(cue: Cue): readonly string[] {
  const fits = (text: string): boolean => compile(cue).test(readText(text).text)
  return [
    ...(/^\P{Ll}.{7,}\.$/u.test(cue.says) ? [] : ['What it finds is not said in a sentence.']),
    ...(cue.fits.some((text) => /\p{Script=Han}/u.test(text)) && cue.fits.some((text) => /[a-z]{3}/iu.test(text))
      ? []
      : ['It has no example in one of the languages.']),
    ...(cue.not.length > 0 ? [] : ['It has no near miss.']),
    ...cue.fits.filter((text) => !fits(text)).map((text) => `It does not fit its example "${text}".`),
    ...cue.not.filter(fits).map((text) => `It fits "${text}", which it must not.`),
  ]
}

describe('cues', () => {
  it.each(named)('$name finds what it says', ({ cue }) => {
    expect(findFaults(cue)).toEqual([])
  })

  it('are held to their examples', () => {
    const cue: Cue = { says: 'An animal that purrs.', zh: '猫', en: 'cats?', fits: ['小猫', 'a cat'], not: ['a dog'] }
    expect(findFaults(cue)).toEqual([])
    expect(findFaults({ ...cue, says: 'cats' })).toEqual(['What it finds is not said in a sentence.'])
    expect(findFaults({ ...cue, fits: ['小猫'] })).toEqual(['It has no example in one of the languages.'])
    expect(findFaults({ ...cue, fits: ['小猫', 'a lion'] })).toEqual(['It does not fit its example "a lion".'])
    expect(findFaults({ ...cue, not: ['two cats'] })).toEqual(['It fits "two cats", which it must not.'])
    expect(findFaults({ ...cue, not: ['a catalogue'] })).toEqual([])
  })
})
