// Text for measurements: it repeats itself seldom, and is the same for the same number.
const syllables = 'ka lo mi ra ten sol ver ban du rei pol cha nor sa gul fin'.split(' ')

export function prose(seed: number, chars: number): string {
  let state = (seed + 1) * 2_654_435_761
  let text = ''
  while (text.length < chars) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += `${syllables[state % 16]}${syllables[(state >>> 8) % 16]}${(state >>> 16) % 7 === 0 ? '. ' : ' '}`
  }
  return text.slice(0, chars)
}
