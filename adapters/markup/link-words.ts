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
