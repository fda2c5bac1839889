// What answers in a platform's place when something is broken, or somebody else: a proxy, a log-in page, half an answer. No answer of
// a platform's is meant by it, so that every request that gets one must count as not answered.

export type OddAnswer = { readonly type: string; readonly body: string }

const json = 'application/json'
const page = '<!doctype html><html><head><title>Log in</title></head><body>Please log in</body></html>'

/** Each with status 200. */
export const oddAnswers: readonly (readonly [name: string, answer: OddAnswer])[] = [
  ['null', { type: json, body: 'null' }],
  ['{}', { type: json, body: '{}' }],
  ['a number', { type: json, body: '7' }],
  ['a string', { type: json, body: '"ok"' }],
  ['a list of null', { type: json, body: '[null]' }],
  ['a page', { type: 'text/html', body: page }],
  ['a page that claims to be JSON', { type: json, body: page }],
  ['half a JSON', { type: json, body: '{"ok":true,"result":{"id":"1","message_id":1,"us' }],
  ['nothing', { type: json, body: '' }],
]
