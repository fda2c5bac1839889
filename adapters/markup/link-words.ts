// What the words of a link may say, for every renderer: words that could claim another target than the true one have it spelled out.
import { toNormalForm } from '#shared/chat/normal-form.ts'

/** Something a person can see. */
export const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const claims = [
  // A name, a dot and an ending of any script. Syriac, Lisu, Vai, Kharoshthi and music have signs that look just like the dot.
  /[\p{L}\p{M}\p{N}\p{So}\p{Sk}_-][\u{1d16d}.\u0701\u0702\ua4f8\ua60e\u{10a50}][\p{L}\p{M}\p{N}_-]{2,}/u,
  // Full stops that browsers or people take for a dot, and Arabic zeros. In their own scripts they are used otherwise.
  /[\p{L}\p{N}][\u3002\u06d4\u0660\u06f0][A-Za-z][\w-]/u,
  /:\/\/|^\s*[@/#]|@[\p{L}\p{N}_]/u,
]

/** Signs that show nothing, and blanks so thin that two words look like one. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2006\u2008-\u200a\u202f\u205f]/gu

/** Whether words look like an address or a name themselves, as a person sees them. */
export function mayClaim(words: string): boolean {
  const seen = toNormalForm(words.replaceAll(unseen, ''), 'NFKC')
  return claims.some((claim) => claim.test(seen))
}

export function isSameAddress(said: string, url: string): boolean {
  const bare = (text: string): string => text.replace(/^(https?:\/\/|mailto:)/, '').replace(/\/$/, '')
  return bare(said) === bare(url)
}

/** Data is named by its kind: the rest says nothing to people. */
export function toShortUrl(url: string): string {
  return /^data:/i.test(url) && url.length > 64 ? `${url.slice(0, Math.min(64, url.indexOf(',') + 1))}…` : url
}
