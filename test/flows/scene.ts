// One scene for every platform with groups: three people plan a trip in a topic or thread, and a bot among them. What is said, what
// each step must show, and what must hold of the whole in the end; a broken expectation throws.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { bot, type Seen, type Stage } from './scene-stage.ts'

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
  ['what are these', 'By their names: the harbour twice, and the hut.'],
  ['museum', museum],
  ['Rewrite your last answer shorter', museumShort],
  ['把你上一个回答改写得更短', museumShort],
  ['who brings the map', 'Nobody has said so yet.'],
]

export async function playScene(stage: Stage): Promise<void> {
  const { mention, fleet } = stage
  const isAsked =
    (part: string) =>
    (_: string, { messages }: Prompted) =>
      toSpoken(messages).includes(part)
  for (const [part, text] of answers) fleet.model.script({ when: isAsked(part), answer: { kind: 'text', text } })
  const text = toLongAnswer(stage.maxChars)
  const chunkDelayMs = (longAnswerMs * modelPieceChars) / text.length
  fleet.model.script({ when: isAsked('explain'), answer: { kind: 'text', text }, chunkDelayMs })

  // What is not said to the bot stays among people; a reply that names the bot carries it along, with its author.
  const plan = stage.say('Bob', 'The ferry leaves at nine. I booked the hut for two nights. We still need a map!')
  const summaryAsked = stage.say('Ann', `${mention} summarise this`, plan)
  const summary = await replyTo(stage, summaryAsked)
  ok(summary.text.includes('**In short:**'))
  deepEqual(lastPrompt(stage).split('\n').slice(0, 3), [
    '⟦Ann⟧ ⟦reply to Bob; not the sender’s words⟧',
    '> The ferry leaves at nine. I booked the hut for two nights. We still need a map!',
    '⟦end of quote⟧',
  ])

  // A mention by somebody else, in another language; correcting it once it is answered, and a reaction, make the bot say nothing.
  const whenAsked = stage.say('Chen', `${mention} 明天几点出发？`)
  equal((await replyTo(stage, whenAsked)).text, '明天早上九点，从码头出发。')
  stage.edit('Chen', whenAsked, `${mention} 后天几点出发？`)
  stage.react('Bob', summary.id, '👍')

  await useMenu(stage)

  // Several pictures are one message to the bot.
  const album = stage.sendAlbum('Bob', `${mention} what are these?`, ['harbour.jpg', 'harbour2.jpg', 'hut.jpg'])
  ok((await replyTo(stage, album)).text.startsWith('By their names'))
  ok(lastPrompt(stage).includes('⟦Bob⟧'))

  await streamLongAnswer(stage)
  await rewrite(stage)

  const last = stage.say('Bob', `${mention} who brings the map?`)
  equal((await replyTo(stage, last)).text, 'Nobody has said so yet.')
  await stage.until(() => said(stage).every(({ buttons }) => buttons.length === 0) || undefined)
  expectWhole(stage)
}

/** Ann walks through /config by buttons; Bob may not. */
async function useMenu(stage: Stage): Promise<void> {
  stage.command('Ann', 'config')
  const card = await stage.until(() => said(stage).findLast((one) => labels(one).includes('Default depth')))
  equal(await stage.press('Bob', card.id, 'Language'), notYours)
  await stage.press('Ann', card.id, 'Default depth')
  await stage.until(() => labels(find(stage, card.id)).includes('standard') || undefined)
  equal((await stage.press('Chen', card.id, 'deep')) === '', false)
  await stage.press('Ann', card.id, 'standard')
  await stage.until(() => find(stage, card.id).text.includes('standard, set by Ann') || undefined)
  await stage.press('Ann', card.id, 'Done')
  await gone(stage, card.id)
  ok(find(stage, card.id).text.includes('Default depth: standard'))
}

/** An answer that grows by edits, is refused on its way for going too fast, and ends whole. Meanwhile somebody else asks, and corrects it. */
async function streamLongAnswer(stage: Stage): Promise<void> {
  const { mention } = stage
  const asked = stage.say('Ann', `${mention} explain the whole plan`)
  const first = await replyTo(stage, asked)
  ok((first.texts[0] ?? '').length >= 120, `it began with ${first.texts[0]}`)
  deepEqual(labels(first), ['Stop'])
  stage.askToWait(2)
  equal(await stage.press('Bob', first.id, 'Stop'), notYours)
  const waiting = stage.say('Chen', `${mention} and what about the food?`)
  await stage.until(() => stage.waits().asked > 0 || undefined)
  stage.edit('Chen', waiting, `${mention} and what about the museum?`)
  await stage.until(() => said(stage).some(({ text }) => text.includes('That is the whole plan.')) || undefined)
  ok(find(stage, first.id).texts.length >= 3, 'it grew by fewer than two edits')
  deepEqual(stage.waits(), { asked: 1, broken: 0 })
}

/** Under the newest answer its asker finds buttons; a rewritten answer takes its place. */
async function rewrite(stage: Stage): Promise<void> {
  const answer = await stage.until(() => said(stage).find(({ text }) => text.startsWith('The museum is open')))
  const others = said(stage).filter(({ id }) => id !== answer.id)
  await stage.until(() => others.every(({ id }) => labels(find(stage, id)).length === 0) || undefined)
  deepEqual(labels(answer), ['Shorter', 'Longer'])
  equal(await stage.press('Bob', answer.id, 'Shorter'), notYours)
  await stage.press('Chen', answer.id, 'Shorter')
  await stage.until(() => find(stage, answer.id).text === museumShort || undefined)
  deepEqual(labels(find(stage, answer.id)), ['Longer'])
}

/** What people see in the end: each answer once, in order, whole, and nothing else. */
function expectWhole(stage: Stage): void {
  const messages = said(stage)
  const long = messages.filter(({ text }) => text.includes('Stop ') || text.includes('Here is the whole plan'))
  equal(long.length > 1, !stage.takesTables, 'in how many messages the long answer comes')
  const most = stage.takesTables ? stage.maxChars * 2 : stage.maxChars + 100
  for (const { text } of messages) ok(text.length <= most, `a message of ${text.length} characters`)
  const whole = long.map(({ text }) => text).join('\n')
  const stops = toLongAnswer(stage.maxChars).match(/Stop \d+\*\*/g) ?? []
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
    ...(stage.echoesCommands ? ['/config'] : []),
    'Default depth',
    'By their names',
    ...long.map(({ text }) => text),
    museumShort,
    'Nobody has said so yet.',
  ]
  equal(messages.length, order.length, `the bot said:\n${messages.map(({ text }) => text.slice(0, 60)).join('\n')}`)
  for (const [i, part] of order.entries())
    ok(messages[i]?.text.includes(part), `${i + 1}. is not "${part.slice(0, 40)}"`)
  equal(stage.fleet.model.ledger.entries.length, 7, 'model calls')
}

const said = (stage: Stage): readonly Seen[] => stage.seen().filter(({ by }) => by === bot)
const labels = ({ buttons }: Seen): readonly string[] => buttons.flat()

function replyTo(stage: Stage, message: string): Promise<Seen> {
  return stage.until(() => said(stage).find((one) => one.replyTo === message))
}

function find(stage: Stage, message: string): Seen {
  const found = stage.seen().find(({ id }) => id === message)
  ok(found, `message ${message} is gone`)
  return found
}

/** The message's buttons go. */
async function gone(stage: Stage, message: string): Promise<void> {
  await stage.until(() => labels(find(stage, message)).length === 0 || undefined)
}

type Prompted = { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] }

/** The people's side of the last prompt, from the newest answer on. */
const lastPrompt = (stage: Stage): string => toSpoken(stage.fleet.model.ledger.entries.at(-1)?.messages ?? [])

function toSpoken(messages: Prompted['messages']): string {
  const spoken = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return spoken.flatMap(({ role, content }) => (role === 'user' ? [String(content)] : [])).join('\n')
}
