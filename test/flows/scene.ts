// One scene for every platform with groups: three people plan a trip in a topic or thread, and a bot among them. What is said, what
// each step must show, and what must hold of the whole in the end; a broken expectation throws.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { labels, type Seen } from '#test/rig/chats/chat.ts'
import type { Stage } from './scene-stage.ts'

/** Longer than one message of the platform, with a table and code. */
function toLongAnswer(maxChars: number): string {
  const stop = (n: number): string =>
    `${n}. **Stop ${n}**: we meet at ${8 + (n % 10)} o’clock, walk for an hour, and rest before we go on.`
  const lines = [
    'Here is the whole plan, from the first morning to the last evening, with the costs in a table and a small program that keeps the purse.',
    '',
    '## Days and costs',
    '',
    '| Day | Where | Cost |',
    '|---|---|---:|',
    ...['Harbour', 'Lighthouse', 'Forest', 'Old town', 'Market'].map(
      (name, i) => `| ${i + 1} | ${name} | ${20 + i * 7} € |`,
    ),
    '',
    '## The purse',
    '',
    '```ts',
    ...Array.from(
      { length: entries },
      (_, n) => `const day${n} = { spent: ${n * 3}, left: ${200 - n * 3} } // entry ${n}`,
    ),
    '```',
    '',
    '## Day by day',
    '',
  ]
  for (let n = 1; lines.join('\n').length < maxChars * 1.15; n++) lines.push(stop(n))
  return [...lines, '', 'That is the whole plan.'].join('\n')
}

const entries = 14
const modelPieceChars = 24
/** How long it takes to be written. */
const longAnswerMs = 8000
const museum =
  'The museum is open from ten to six, and on Thursdays until nine. Tickets are 12 € each, and 8 € for groups of three and more. '
    .repeat(4)
    .trim()
const museumShort =
  'Open ten to six, Thursdays until nine; 12 € each, 8 € for groups of three and more. The ferry passes it anyway, so take the earlier one.'
const notYours = 'This button is not for you.'

/** What the model answers, by what the newest messages of the prompt contain. */
const answers: readonly (readonly [asked: string, answer: string])[] = [
  [
    'summarise this',
    '**In short:** the ferry leaves at nine, the hut is booked for *two* nights, and a map is missing.',
  ],
  ['明天几点', '明天早上九点，从码头出发。'],
  ['后天几点', '后天十点出发。'],
  ['what are these', 'By their names: the harbour twice, and the hut.'],
  ['museum', museum],
  ['Rewrite your last answer shorter', museumShort],
  ['把你上一个回答改写得更短', museumShort],
  ['who brings the map', 'Nobody has said so yet.'],
]

export async function playScene(stage: Stage): Promise<void> {
  const { chat, fleet, platform } = stage
  const outside = stage.outside()
  const isAsked =
    (part: string) =>
    (_: string, { messages }: Prompted) =>
      toSpoken(messages).includes(part)
  for (const [part, text] of answers) fleet.model.script({ when: isAsked(part), answer: { kind: 'text', text } })
  const text = toLongAnswer(platform.maxChars)
  const chunkDelayMs = (longAnswerMs * modelPieceChars) / text.length
  fleet.model.script({ when: isAsked('explain'), answer: { kind: 'text', text }, chunkDelayMs })

  // What is not said to the bot stays among people; a reply that names the bot carries it along, with its author.
  const plan = chat.say('Bob', 'The ferry leaves at nine. I booked the hut for two nights. We still need a map!')
  const summaryAsked = chat.ask('Ann', 'summarise this', { replyTo: plan })
  const summary = await chat.replyTo(summaryAsked)
  ok(summary.text.includes('**In short:**'))
  expectQuote(stage)

  // A mention by somebody else, in another language. Who corrects it once it is answered may have it answered anew; a reaction makes the bot say nothing.
  const whenAsked = chat.ask('Chen', '明天几点出发？')
  equal((await chat.replyTo(whenAsked)).text, '明天早上九点，从码头出发。')
  chat.edit('Chen', whenAsked, `${chat.mention} 后天几点出发？`)
  const [said, again] = stage.edited
  const offer = await chat.hear(said)
  equal(await chat.press('Bob', offer.id, again).notice(), notYours)
  await chat.press('Chen', offer.id, again).notice()
  await chat.hear('后天十点出发。')
  await gone(stage, offer.id)
  chat.react('Bob', summary.id, '👍')

  await useMenu(stage)

  // Several pictures are one message to the bot.
  const album = chat.ask('Bob', 'what are these?', { pictures: ['harbour.jpg', 'harbour2.jpg', 'hut.jpg'] })
  ok((await chat.replyTo(album)).text.includes('By their names'))
  ok(lastPrompt(stage).includes('⟦Bob⟧'))

  await streamLongAnswer(stage)
  await rewrite(stage)

  const last = chat.ask('Bob', 'who brings the map?')
  equal((await chat.replyTo(last)).text, 'Nobody has said so yet.')
  await chat.until(() => chat.said().every(({ buttons }) => buttons.length === 0) || undefined)
  expectWhole(stage)
  equal(stage.outside(), outside, 'messages outside of the thread')
}

/** What the model reads of a reply: whom it answers, and what that was; the words alone where the platform does not tell. */
function expectQuote(stage: Stage): void {
  const prompted = lastPrompt(stage).split('\n')
  // On some platforms the topic begins with words, which stand before.
  const from = prompted.findIndex((line) => line.startsWith('⟦Ann⟧'))
  const quote = [
    '⟦Ann⟧ ⟦reply to Bob; not the sender’s words⟧',
    '> The ferry leaves at nine. I booked the hut for two nights. We still need a map!',
    '⟦end of quote⟧',
    'summarise this',
  ]
  deepEqual(prompted.slice(from), stage.platform.tellsRepliesInThreads ? quote : ['⟦Ann⟧ Trip', '⟦Ann⟧ summarise this'])
}

/** Ann walks through /config by buttons; Bob may not. */
async function useMenu(stage: Stage): Promise<void> {
  const { chat } = stage
  chat.command('Ann', 'config')
  const card = await chat.until(() => chat.said().findLast((one) => labels(one).includes('Default depth')))
  equal(await chat.press('Bob', card.id, 'Language').notice(), notYours)
  await chat.press('Ann', card.id, 'Default depth').notice()
  await chat.when(card.id, (one) => labels(one).includes('standard'))
  equal((await chat.press('Chen', card.id, 'deep').notice()) === '', false)
  await chat.press('Ann', card.id, 'standard').notice()
  await chat.when(card.id, (one) => one.text.includes('standard, set by Ann'))
  // In a group nobody has them unless somebody wants them.
  await chat.press('Ann', card.id, 'Buttons under answers').notice()
  await chat.when(card.id, (one) => labels(one).includes('on'))
  await chat.press('Ann', card.id, 'on').notice()
  await chat.when(card.id, (one) => one.text.includes('Buttons under answers: on, set by Ann'))
  await chat.press('Ann', card.id, 'Done').notice()
  await gone(stage, card.id)
  ok(chat.find(card.id).text.includes('Default depth: standard'))
}

/** An answer that grows by edits, is refused on its way for going too fast, and ends whole. Meanwhile somebody else asks, and corrects it. */
async function streamLongAnswer(stage: Stage): Promise<void> {
  const { chat } = stage
  const asked = chat.ask('Ann', 'explain the whole plan')
  const first = await chat.replyTo(asked)
  ok((first.texts[0] ?? '').length >= 120, `it began with ${first.texts[0]}`)
  deepEqual(labels(first), ['Stop'])
  chat.askToWait(2)
  equal(await chat.press('Bob', first.id, 'Stop').notice(), notYours)
  const waiting = chat.ask('Chen', 'and what about the food?')
  await chat.until(() => waits(stage).asked > 0 || undefined)
  chat.edit('Chen', waiting, `${chat.mention} and what about the museum?`)
  await chat.hear('That is the whole plan.')
  ok(chat.find(first.id).texts.length >= 2, 'it did not grow')
  deepEqual(waits(stage), { asked: 1, broken: 0 })
}

/** Under the newest answer its asker finds buttons; a rewritten answer takes its place. */
async function rewrite({ chat }: Stage): Promise<void> {
  const answer = await chat.until(() => chat.said().find(({ text }) => text.includes('The museum is open')))
  const others = chat.said().filter(({ id }) => id !== answer.id)
  await chat.until(() => others.every(({ id }) => labels(chat.find(id)).length === 0) || undefined)
  deepEqual(labels(answer), ['Shorter', 'Longer'])
  equal(await chat.press('Bob', answer.id, 'Shorter').notice(), notYours)
  await chat.press('Chen', answer.id, 'Shorter').notice()
  await chat.when(answer.id, (one) => one.text.endsWith(museumShort))
  deepEqual(labels(chat.find(answer.id)), ['Longer'])
}

/** What people see in the end: each answer once, in order, whole, and nothing else. */
function expectWhole({ chat, edited, platform, fleet }: Stage): void {
  const messages = chat.said()
  const long = messages.filter(({ text }) => text.includes('Stop ') || text.includes('Here is the whole plan'))
  equal(long.length > 1, !platform.takesTables, 'in how many messages the long answer comes')
  const most = platform.takesTables ? platform.maxChars * 2 : platform.maxChars + 100
  for (const { text } of messages) ok(text.length <= most, `a message of ${text.length} characters`)
  const whole = long.map(({ text }) => text).join('\n')
  const stops = toLongAnswer(platform.maxChars).match(/Stop \d+\*\*/g) ?? []
  const once = [...stops, ...Array.from({ length: entries }, (_, n) => `// entry ${n}\n`), 'Harbour', 'Market']
  for (const part of once) equal(whole.split(part).length - 1, 1, `"${part}" is not there once`)
  for (const { texts } of messages) {
    for (const text of texts) equal((text.match(/```/g) ?? []).length % 2, 0, 'a code block stays open')
  }
  ok(
    messages.every(({ text }) => !text.endsWith('…')),
    'something still looks unfinished',
  )
  const order = [
    '**In short:**',
    '明天早上九点',
    edited[0],
    '后天十点',
    ...(platform.echoesCommands ? ['/config'] : []),
    'Default depth',
    'By their names',
    ...long.map(({ text }) => text),
    museumShort,
    'Nobody has said so yet.',
  ]
  equal(messages.length, order.length, `the bot said:\n${messages.map(({ text }) => text.slice(0, 60)).join('\n')}`)
  for (const [i, part] of order.entries())
    ok(messages[i]?.text.includes(part), `${i + 1}. is not "${part.slice(0, 40)}"`)
  equal(fleet.model.ledger.entries.length, 8, 'model calls')
}

/** The message's buttons go. */
const gone = ({ chat }: Stage, message: string): Promise<Seen> => chat.when(message, (one) => labels(one).length === 0)

/** How often the bot was asked to wait in the thread, and how many requests came before that time was over. */
function waits({ chat }: Stage): { readonly asked: number; readonly broken: number } {
  const all = chat.requests()
  const told = all.filter(({ waitMs }) => waitMs !== undefined)
  const broken = told.flatMap(({ n, at, waitMs = 0 }) => all.filter((one) => one.n > n && one.at < at + waitMs))
  return { asked: told.length, broken: broken.length + all.filter(({ isDuringWait }) => isDuringWait).length }
}

type Prompted = { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] }

/** The people's side of the last prompt, from the newest answer on. */
const lastPrompt = (stage: Stage): string => toSpoken(stage.fleet.model.ledger.entries.at(-1)?.messages ?? [])

function toSpoken(messages: Prompted['messages']): string {
  const spoken = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return spoken.flatMap(({ role, content }) => (role === 'user' ? [String(content)] : [])).join('\n')
}
