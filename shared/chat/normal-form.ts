// Texts in one of Unicode's normal forms. Bringing signs that combine into their order takes the square of how many follow each other: sixty thousand
// accents take seconds. Nobody's script has more than a few on one letter, so that the rest of a long row is dropped first.

/** Signs that combine with the letter before them, and those that become such signs in a normal form. */
const combining = /[\p{M}\u0e33\u0eb3\uff9e\uff9f]+/gu
const mostMarks = 30

/** The text with at most thirty combining signs after each other. */
export function withFewMarks(text: string): string {
  return text.replaceAll(combining, (row) => (row.length > mostMarks ? [...row].slice(0, mostMarks).join('') : row))
}

/** The only place where a text is normalised; `test/architecture` sees to it. */
export function toNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return withFewMarks(text).normalize(form)
}
