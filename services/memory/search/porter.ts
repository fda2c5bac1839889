// Takes the endings off English words, by M. F. Porter's steps ("An algorithm for suffix stripping", 1980): "connections" and "connected" become "connect".

/** A lower-case word of `a-z`; others come back as they are. Takes time in proportion to the word. */
export function toPorterStem(word: string): string {
  if (word.length < 3 || word.length > longest || !/^[a-z]+$/.test(word)) return word
  return withoutLastE(withoutEndings(toI(withoutPast(withoutPlural(word)))))
}

const longest = 40

const isVowel = (word: string, at: number): boolean => {
  const sign = word.charAt(at)
  return 'aeiou'.includes(sign) || (sign === 'y' && at > 0 && !isVowel(word, at - 1))
}

/** How often consonants follow vowels. */
function measure(stem: string): number {
  let [count, wasVowel] = [0, false]
  for (let at = 0; at < stem.length; at++) {
    const is = isVowel(stem, at)
    if (wasVowel && !is) count += 1
    wasVowel = is
  }
  return count
}

const hasVowel = (stem: string): boolean => Array.from(stem, (_, at) => at).some((at) => isVowel(stem, at))
const endsDouble = (stem: string): boolean => {
  const last = stem.length - 1
  return last > 0 && stem.charAt(last) === stem.charAt(last - 1) && !isVowel(stem, last)
}
/** Such as "hop" and "fil", which had an e: "hoping", "filing". */
const endsShort = (stem: string): boolean => {
  const last = stem.length - 1
  const isOne = last > 1 && !isVowel(stem, last) && isVowel(stem, last - 1) && !isVowel(stem, last - 2)
  return isOne && !'wxy'.includes(stem.charAt(last))
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = ['ed', 'ing'].find((one) => word.endsWith(one))
  if (ending === undefined) return word
  const stem = word.slice(0, -ending.length)
  if (!hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

const toI = (word: string): string =>
  word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word

type Endings = { readonly beyond: number; readonly become: ReadonlyMap<string, string> }

const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(' ').map((pair) => {
      const [ending = '', becomes = ''] = pair.split('>')
      return [ending, becomes] as const
    }),
  )
/** Each step takes the longest ending that fits, where what stays is long enough. */
const steps: readonly Endings[] = [
  {
    beyond: 0,
    become: pairs(
      'ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble',
    ),
  },
  { beyond: 0, become: pairs('icate>ic ative> alize>al iciti>ic ical>ic ful> ness>') },
  {
    beyond: 1,
    become: pairs(
      'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> sion>s tion>t ou> ism> ate> iti> ous> ive> ize>',
    ),
  },
]
const mostEnding = 7

function withoutEndings(word: string): string {
  let stem = word
  for (const { beyond, become } of steps) {
    for (let length = Math.min(mostEnding, stem.length); length > 1; length--) {
      const becomes = become.get(stem.slice(-length))
      if (becomes === undefined) continue
      const before = stem.slice(0, -length)
      if (measure(`${before}${beyond > 0 ? becomes : ''}`) > beyond) stem = `${before}${becomes}`
      break
    }
  }
  return stem
}

function withoutLastE(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const before = stem.slice(0, -1)
    const long = measure(before)
    if (long > 1 || (long === 1 && !endsShort(before))) stem = before
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem
}
