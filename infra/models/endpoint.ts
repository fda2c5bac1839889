// What an address and a name tell of an endpoint before it is asked. Pure.

export const openAiUrl = 'https://api.openai.com/v1'

/** People copy the whole address of a request. */
export function toBaseUrl(given: string): string {
  let url = given.trim()
  while (url.endsWith('/')) url = url.slice(0, -1)
  return url.replace(/\/(?:chat\/completions|completions|responses|models)$/, '')
}

/** A server of this machine or of this network: its addresses are private, and its name is a single word or ends in one that no public name has. */
export function isNear(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (host.includes(':')) return /^(?:::1$|f[cd]|fe[89ab]|::ffff:)/.test(host)
  return (
    /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(host) ||
    /^[^.]+$|\.(?:local|lan|internal|home\.arpa|localhost|svc|intranet)$/.test(host)
  )
}

/** Models that are known to think in silence before their first word. */
export const thinks = (model: string): boolean =>
  /(?:^|[/.:_-])(?:o[1-9]|gpt-[5-9]|r1|v[4-9]|qwq|qwen-?[3-9]|magistral|grok-[4-9]|gemini-(?:2\.5|[3-9])|glm-[4-9]|kimi-k[2-9]|minimax-m\d|gpt-oss|deepseek)|think|reason/i.test(
    model,
  )
