// What an English sentence tells in passing: a value that most have, one of two that was taken, a place that is left empty. No word of it says "I do not know".
// Every pattern is bounded.
import { askEmbedded, askWhether, lowerFirst } from './en-invert.ts'
import type { Found } from './en-read.ts'
import { tidy } from './en-text.ts'
import { askMissing } from './en-values.ts'

const most = '(?:most|the majority|nearly all|almost all|many)'
/** "54 is what most of them have." */
const whatMost = new RegExp(
  `^((?:the |your )?[\\w' .-]{1,30}?) (?:is|are|was|were) (?:what|how|where|when|the one|as) ${most}\\b`,
  'iu',
)
/** "22 stitches to 10 cm, as on most labels"; "eight o'clock, like most places". */
const asMost = new RegExp(
  `^(.{8,120}?),? (?:as|like) (?:(?:on|in|at|with|for|do|is|are|it is|they are) )?(?:${most}|usual(?:ly)?|common|customary|typical|standard) \\w`,
  'iu',
)

/** "the sentence on where they met has a gap in brackets", "the line for the speaker holds only dots". */
const gapIn =
  /\b(?:sentence|line|part|spot|place|bit|row|cell|field|box|slot|space|column|entry|page) (?:on|for|about|with|saying|that says) (.{3,60}?) (?:still |now )?(?:has|is|holds|shows|stands|contains|says) (?:still |only |just |nothing but )?(?:a |an )?(?:gap|blank|hole|bracket|empty|dots|question mark|placeholder|dash|row of|TBC|TBD|XX)/iu
/** "I left room for the date", "a blank where the name goes". */
const roomFor =
  /\b(?:left|leave|kept|there is|with) (?:a |some )?(?:room|space|blank|gap|hole|placeholder|question mark|dots) (?:for|where|instead of) ([^,.;]{3,50}?)(?: (?:goes|belongs|should be|would be|stands|would stand|is to stand))?(?=[,.;]|$| and )/iu
/** "please turn to ____", "Solo: ……". */
const blank = /_{3}|…{2}|\.{5}|\[\.{2,5}\]/u
const mostBlankWords = 14

export function readPassing(said: string, before: string): readonly Found[] | undefined {
  return readBlank(said) ?? readGap(said) ?? readMost(said, before)
}

function readMost(said: string, before: string): readonly Found[] | undefined {
  const [, value] = whatMost.exec(said) ?? []
  if (value !== undefined && !/^(?:it|that|this|he|she|they|there|here)$/iu.test(value)) {
    const whole = withNoun(value, before)
    const isMany = /[a-z]{2}s$/u.test(whole)
    const ask = `${isMany ? 'Are' : 'Is'} ${lowerFirst(whole)} right?`
    return [{ asked: { ask, kind: 'yes-no' }, about: whole, assumed: whole }]
  }
  const [, statement] = asMost.exec(said) ?? []
  if (statement === undefined || /\b(?:you|as|like)$/iu.test(statement)) return undefined
  const plain = tidy(statement)
  const words = plain.split(' ').length
  if (words < 4 || words > 16 || /^(?:done|here|sure|yes|no|it|that|this)\b/iu.test(plain)) return undefined
  return [{ asked: { ask: askWhether(plain), kind: 'yes-no' }, about: plain, assumed: plain }]
}

/** "54" as it stood in the sentence before: "54 cm frame". */
function withNoun(value: string, before: string): string {
  if (!/^\d/u.test(value)) return value
  const at = before.indexOf(`${value} `)
  const [, follows] = at < 0 ? [] : (/^ ((?:\w{1,12} ){0,2}\w{2,15})/u.exec(before.slice(at + value.length)) ?? [])
  return follows === undefined ? value : `the ${value} ${follows}`
}

function readGap(said: string): readonly Found[] | undefined {
  const [, phrase] = gapIn.exec(said) ?? roomFor.exec(said) ?? []
  if (phrase === undefined) return undefined
  const plain = tidy(phrase)
  const asked = /^(?:where|when|how|who|what|which|whether|whose)\b/iu.test(plain)
    ? askEmbedded(plain)
    : askMissing(plain)
  return asked && [{ asked, about: plain }]
}

function readBlank(said: string): readonly Found[] | undefined {
  const found = blank.exec(said)
  const label = said.slice(0, found?.index ?? 0).replaceAll(/["“”‘’]/gu, '')
  if (!/[a-z]{3}/iu.test(label)) return undefined
  const plain = tidy(label.split(' ').slice(-mostBlankWords).join(' '))
  return [
    { asked: { ask: `What belongs into the blank after “${plain}”?`, kind: 'words' }, about: plain, isWhole: true },
  ]
}
