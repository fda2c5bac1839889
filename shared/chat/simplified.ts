// Chinese in one way of writing, so that what is known by simplified characters is known however somebody writes. The table holds the common
// characters of Big5 whose simplified form differs, by OpenCC's table (Apache-2.0), and the signs of Cantonese that stand for one of Mandarin.
import table from '#shared/chat/simplified.json' with { type: 'json' }

/** Traditional characters stand in the table at the same place as their simplified forms. */
const simple = new Map(Array.from(table.traditional, (sign, at) => [sign, table.simplified.charAt(at)]))

/** As long as it was, sign for sign. */
export function toSimplified(text: string): string {
  return text.replaceAll(/[\u3400-\u9fff]/gu, (sign) => simple.get(sign) ?? sign)
}
