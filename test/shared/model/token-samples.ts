// Texts for the token estimate's test, made from a seed: prose in several languages, code, JSON, and strings meant to hurt.

export type SampleKind = {
  readonly name: string
  readonly natural: boolean
  readonly make: (random: () => number) => string
}

const chinese =
  '今天上午我们讨论了消息队列的可靠性。如果一个工作进程在回复之前崩溃，另一个进程会接管它的租约，然后从日志里继续。用户几乎不会注意到，只是等待的时间稍微长一点。北京的天气怎么样？下周二可能会下雨，气温在十二度左右，出门记得带伞。请帮我把这份报告改写成更简短的版本，重点说明预算、风险和时间表。他的奶奶住在黄浦江边的一座老房子里，院子里种着石榴、葡萄和几株月季。谢谢，不过服务器又挂了，帮我排查一下。我觉得这个方案还不够成熟，测试覆盖率太低，上线之前至少需要再做两轮压力测试。'
const english =
  "The worker claims a conversation, reads what is waiting, and asks the model for a reply. If it crashes halfway, another worker takes over after the lease has expired, and nobody notices more than a short delay. Could you summarise the quarterly report and list the three biggest risks? My grandmother grew tomatoes, rhubarb and gooseberries behind the old lighthouse keeper's cottage. Yesterday it rained; today the harbour is bright, windy and full of sailing boats. I'd rather not restart the server until we understand why the memory usage keeps growing, because the last outage cost us almost two hours."
const code =
  "export async function claim(deps: Deps, id: string, signal: AbortSignal): Promise<Lease | undefined> {\n  const token = await deps.redis.eval(script, 2, `{${id}}:lease`, `{${id}}:inbox`, String(deps.now()))\n  if (typeof token !== 'string') return undefined\n  for (let i = 0; i < retries.length; i++) {\n    if (signal.aborted) break\n  }\n  return { token, epoch: Number(token.split(':')[1]) >>> 0, release: () => deps.redis.del(key) }\n}\n"
const json =
  '{"id":"chatcmpl-9f3a","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}],"usage":{"prompt_tokens":128,"completion_tokens":42},"tags":["a","b"],"ratio":0.625,"ok":true,"created":1753200000}\n'
const markdown =
  '# 安装 Installation\n\n1. 运行 `npm install`，then `npm start`.\n2. 打开 http://127.0.0.1:8787/ 并粘贴 token。\n\n| column | 说明 |\n|---|---|\n| **name** | the queue 的名字 |\n\n> 注意：Redis ≥ 7.2 is required.\n\n```sh\nREDIS_URL=redis://localhost:6379 npm run flotilla -- all\n```\n'
const other =
  'Сегодня хорошая погода, и мы пойдём гулять в парк. 日本語の文章も少し入れておきます。カタカナもあります。오늘은 날씨가 좋아서 산책을 갑니다. El niño comió piñas en la montaña. Die Straße führt über die Brücke. مرحبا بالعالم، كيف حالك اليوم؟ สวัสดีชาวโลก नमस्ते दुनिया'
const emoji = Array.from('😀😂👍🎉🚀🐱🍜❤🔥🙏👩🏽🇨🇳🧵🪄🦖🫠').filter((each) => each.length > 0)
const common = 'ererinthanonesatteediteresheananoritasorarhereofdealrlintisealerine'

export const sampleKinds: readonly SampleKind[] = [
  { name: 'chinese', natural: true, make: (random) => cut(chinese, random) },
  { name: 'english', natural: true, make: (random) => cut(english, random) },
  { name: 'code', natural: true, make: (random) => cut(code, random) },
  { name: 'json', natural: true, make: (random) => cut(json, random) },
  { name: 'markdown', natural: true, make: (random) => cut(markdown, random) },
  { name: 'mixed', natural: true, make: (random) => cut(chinese, random) + cut(english, random) + cut(json, random) },
  { name: 'other scripts', natural: false, make: (random) => cut(other, random) },
  { name: 'emoji', natural: false, make: (random) => draw(emoji, random) },
  { name: 'any Han', natural: false, make: (random) => points(random, 0x4e00, 0x9fff) },
  { name: 'any BMP', natural: false, make: (random) => points(random, 0x80, 0xd7ff) },
  { name: 'astral', natural: false, make: (random) => points(random, 0x10000, 0x1ffff) },
  { name: 'any ASCII', natural: false, make: (random) => points(random, 0x20, 0x7e) },
  { name: 'control', natural: false, make: (random) => points(random, 0x00, 0x1f) },
  { name: 'small letters', natural: false, make: (random) => points(random, 0x61, 0x7a) },
  { name: 'capitals', natural: false, make: (random) => points(random, 0x41, 0x5a) },
  { name: 'pairs of common letters', natural: false, make: (random) => pseudoWords(random) },
  { name: 'letters and digits', natural: false, make: (random) => draw(Array.from('aB3xQ7zK9mW2'), random) },
  { name: 'hex', natural: false, make: (random) => draw(Array.from('0123456789abcdef'), random) },
  {
    name: 'base64',
    natural: false,
    make: (random) => draw(Array.from('QWERTYuiopasdfghjklzxcvbnm0123456789+/='), random),
  },
  {
    name: 'punctuation',
    natural: false,
    make: (random) => draw(Array.from('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'), random),
  },
  { name: 'white space', natural: false, make: (random) => draw([' ', '\n', '\t', '\r', '  ', 'a'], random) },
  {
    name: 'one character',
    natural: false,
    make: (random) => String.fromCharCode(33 + pick(random, 94)).repeat(1 + pick(random, 400)),
  },
]

/** Reproducible numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function pick(random: () => number, below: number): number {
  return Math.floor(random() * below)
}

/** A stretch from anywhere in the text, from a few characters to three rounds of it. */
function cut(text: string, random: () => number): string {
  const start = pick(random, text.length)
  return (text + text + text)
    .slice(start, start + 1 + pick(random, random() < 0.5 ? 60 : text.length * 2))
    .toWellFormed()
}

function draw(from: readonly string[], random: () => number): string {
  return Array.from({ length: 1 + pick(random, 200) }, () => from[pick(random, from.length)] ?? '').join('')
}

function points(random: () => number, low: number, high: number): string {
  return Array.from({ length: 1 + pick(random, 200) }, () =>
    String.fromCodePoint(low + pick(random, high - low + 1)),
  ).join('')
}

/** Words that look like English and are not: each letter follows the one before it in a chain of frequent pairs. */
function pseudoWords(random: () => number): string {
  const words = Array.from({ length: 1 + pick(random, 40) }, () => {
    let word = common.charAt(pick(random, common.length))
    const length = 2 + pick(random, 12)
    while (word.length < length) {
      const from = common.indexOf(word.charAt(word.length - 1), pick(random, common.length))
      word += common.charAt((from + 1) % common.length)
    }
    return word
  })
  return words.join(' ')
}
