// Every rule of the router's grammar against its own examples: what it says it finds it finds, and near misses it leaves.
import { describe, expect, it } from 'vitest'
import { fill, grammar, rulesOf, wishWords, type Rule } from '#services/router/grammar.ts'
import parts from '#services/router/grammar/parts.json' with { type: 'json' }
import { anyOf } from '#services/router/pattern-source.ts'
import { defaultRouting } from '#services/router/patterns.ts'

type Words = Readonly<Record<string, string>>
type Named = { readonly name: string; readonly rule: Rule; readonly section: string }

const wishes = (['brief', 'detailed'] as const).map((wish) => ({
  ...wishWords[wish],
  phrases: anyOf(defaultRouting[`${wish}Phrases`]),
  han: anyOf(defaultRouting[wish].filter((word) => /[\u3400-\u9fff]/u.test(word))),
  latin: anyOf(defaultRouting[wish].filter((word) => /^[a-z]/u.test(word))),
}))
/** The words that the forms of a section name; an example of `wishForms` is one of either wish. */
const wordsOf: Readonly<Record<string, readonly Words[]>> = {
  wishForms: wishes,
  deep: [{ deepKeywords: anyOf(defaultRouting.deepKeywords) }],
  self: [{ noun: anyOf(defaultRouting.selfNouns) }],
}
/** Sections that are asked for at a place of the text and fit from there on. */
const sticky = new Set(['courtesy', 'lead'])

const rules: readonly Named[] = Object.entries(grammar).flatMap(([section, forms]) =>
  Object.entries(forms).flatMap(([form, value]) => {
    const names = rulesOf(value).length > 1 ? Object.keys(value) : ['']
    return rulesOf(value).map((rule, at) => ({ name: `${section} ${form} ${names[at]}`.trim(), rule, section }))
  }),
)

function createFits(section: string, source: string, other: Words = {}): (text: string) => boolean {
  const flags = sticky.has(section) ? 'uy' : 'u'
  const sources = (wordsOf[section] ?? [{}]).map((words) => fill(source, { ...words, ...other }))
  const patterns = [...new Set(sources)].map((whole) => new RegExp(whole, flags))
  return (text) => patterns.some((pattern) => text.search(pattern) >= 0)
}

/** What is wrong with a rule, a sentence each; `other` words take the place of its own. */
function findFaults({ rule, section }: Pick<Named, 'rule' | 'section'>, other: Words = {}): readonly string[] {
  const forms = [rule.form].flat()
  const fits = createFits(section, forms.join('|'), other)
  return [
    ...(/^\P{Ll}.{7,}\.$/u.test(rule.says) ? [] : ['What it finds is not said in a sentence.']),
    ...(new Set(rule.fits).size >= 2 ? [] : ['It has fewer than two examples.']),
    ...rule.fits.filter((text) => !fits(text)).map((text) => `It does not fit its example "${text}".`),
    ...(rule.not ?? []).filter(fits).map((text) => `It fits "${text}", which it must not.`),
    ...forms
      .filter((form) => !rule.fits.some(createFits(section, form, other)))
      .map((form) => `No example shows "${form}".`),
  ]
}

describe('rules', () => {
  it.each(rules)('$name finds what it says', ({ rule, section }) => {
    expect(findFaults({ rule, section })).toEqual([])
  })

  it('are held to their examples', () => {
    const rule: Rule = { says: 'An animal that purrs.', form: ['cat', '猫'], fits: ['a cat', '小猫'], not: ['a dog'] }
    const faultsOf = (changed: Partial<Rule>): readonly string[] =>
      findFaults({ rule: { ...rule, ...changed }, section: 'wish' })
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ says: 'cats' })).toEqual(['What it finds is not said in a sentence.'])
    expect(faultsOf({ form: '猫', fits: ['小猫'] })).toEqual(['It has fewer than two examples.'])
    expect(faultsOf({ form: '猫', fits: ['小猫', '小猫'] })).toEqual(['It has fewer than two examples.'])
    expect(faultsOf({ fits: ['a cat', '小猫', 'a lion'] })).toEqual(['It does not fit its example "a lion".'])
    expect(faultsOf({ not: ['a catalogue'] })).toEqual(['It fits "a catalogue", which it must not.'])
    expect(faultsOf({ fits: ['a cat', 'cats'] })).toEqual(['No example shows "猫".'])
  })

  it('of a wish are all seen by the quick first look', () => {
    const look = createFits('wishForms', [grammar.wishForms.any.form].flat().join('|'))
    const { phrase, ...clauses } = grammar.wishForms
    const examples = Object.values(clauses).flatMap((form) => rulesOf(form).flatMap((rule) => rule.fits))
    expect(phrase.fits.length).toBeGreaterThan(0)
    expect(examples.filter((text) => !look(text))).toEqual([])
  })
})

describe('parts', () => {
  /** Whether an example of some rule tells that a part is gone: that it fits nothing, or, for a guard, that it forbids nothing. */
  const isMissed = (name: string): boolean =>
    rules
      .filter(({ rule }) => [rule.form].flat().some((form) => form.includes('<')))
      .some((named) => ['(?:(?!))', ''].some((gone) => findFaults(named, { [name]: gone }).length > 0))

  it.each(Object.keys({ ...parts, ...wishWords.brief }))('<%s> is needed by an example', (name) => {
    expect(isMissed(name)).toBe(true)
  })
})
