// How the server cuts and folds words. Scripts that it segments by dictionaries are cut here at blanks and marks alone, so a text in them is
// found less often than there: what a client wants to find again it writes in ASCII.

/** Blanks, every mark of ASCII but `$ < = > ^ | ~`, and a few others. */
const separators = /[\s!"#%&'()*+,\-./:;?@[\\\]_`{}、。·…—×]+/u
const mostWordBytes = 250

/** In order. Words over 250 bytes are dropped without a word. */
export function toWords(text: string): string[] {
  return text
    .split(separators)
    .map(fold)
    .filter((word) => word !== '' && Buffer.byteLength(word) <= mostWordBytes)
}

function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ı', 'i')
}

/** What of a text is compared by a filter. Undefined for what is too long: it is stored, and never matches. */
export function toFilterValue(text: string): string | undefined {
  const folded = text.trim().normalize('NFKD').toLowerCase()
  return Buffer.byteLength(folded) > 468 ? undefined : folded
}
