// When two texts are one, but for marks, spaces and the size of letters.

const toPlain = (text: string): string => text.toLowerCase().replaceAll(/[\s\p{P}\p{S}]/gu, '')
/** What is shorter stands in many texts by chance. */
const fewestSigns = 4

export const isAlike = (one: string, other: string): boolean => toPlain(one) === toPlain(other)

export function standsIn(part: string, whole: string): boolean {
  const plain = toPlain(part)
  return [...plain].length >= fewestSigns && toPlain(whole).includes(plain)
}

/** One of them stands in the other. */
export const isPart = (one: string, other: string): boolean => standsIn(one, other) || standsIn(other, one)
