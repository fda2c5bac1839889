// What the words of a link may say, for every renderer: words that could claim another target than the true one have it spelled out.

/** Something a person can see. */
export const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const claims = /[\w-]\.[\p{L}\w-]{2,}|:\/\/|^\s*[@/#]|@\w/u

/** Whether words look like an address or a name themselves. */
export function mayClaim(words: string): boolean {
  return claims.test(words)
}

export function isSameAddress(said: string, url: string): boolean {
  const bare = (text: string): string => text.replace(/^(https?:\/\/|mailto:)/, '').replace(/\/$/, '')
  return bare(said) === bare(url)
}

/** Data is named by its kind: the rest says nothing to people. */
export function toShortUrl(url: string): string {
  return /^data:/i.test(url) && url.length > 64 ? `${url.slice(0, Math.min(64, url.indexOf(',') + 1))}…` : url
}
