// "it" in a question, by what it speaks of in the same sentence or the one before. Where nothing is found, it stays.
const noun =
  /\b((?:the|your|this|that) (?:(?!is\b|are\b|was\b|has\b)[\w'-]{2,20} ){0,2}?[\w'-]{2,20}(?: (?:with|of|about|for|in) (?:the|a|your) [\w'-]{2,20})?)(?=[,;.:!]| is\b| are\b| was\b| has\b| have\b| takes?\b| can\b|$)/iu

export function resolve(ask: string, said: string, before: string): string {
  const found = /\b(?:it|they|them)\b/iu.exec(ask)
  if (
    !found ||
    /\bof them\b|^about /iu.test(ask) ||
    /\bit (?:is not|better|right|true|so)\b|^is it (?:right|better|for|to) |how long is it|time is it/iu.test(ask)
  )
    return ask
  const at = said.search(/\b(?:it|they|them)\b/u)
  const earlier = said.slice(0, Math.max(0, at))
  const [, own] = noun.exec(earlier) ?? noun.exec(before) ?? []
  if (own === undefined || ask.toLowerCase().includes(own.toLowerCase())) return ask
  return (
    ask.slice(0, found.index) +
    own.toLowerCase().replace(/^(?:this|that) /u, 'the ') +
    ask.slice(found.index + found[0].length)
  )
}
