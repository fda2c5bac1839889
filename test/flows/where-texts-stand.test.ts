// Whatever people say can be forgotten, on every channel (infra/decisions/030): a word is sent down every path that leads to a key; then its
// person has it forgotten by the means of that channel, and it stands in no key but those that the decision names, each with an end, and
// in no file once Redis has written its files anew.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { factOf, foundIn } from '#test/rig/found-in.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { until } from '#test/rig/fleet.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { findInFiles, findLeaks, findText, readTextRows, rewriteFiles, watchText } from '#test/rig/texts.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const canary = 'zebrafinch'

/** Keeps what it is told wherever a feature can keep something beside its slice. */
const probe: Feature = {
  name: 'probe',
  commands: [
    {
      name: 'hold',
      help: { zh: '留着', en: 'hold' },
      run: async ({ args }) => {
        const options = [[{ id: 'yes', label: 'Hold it' }], [{ id: 'other', label: `Hold ${canary} or not` }]]
        return [
          {
            kind: 'ask',
            question: 'hold',
            text: `Hold ${args}?`,
            options,
            payload: args,
            words: args.startsWith('said'),
          },
        ]
      },
    },
    {
      name: 'post',
      help: { zh: '寄出', en: 'post' },
      run: async ({ args, conversation, language }) => [
        { kind: 'letter', to: conversation, letter: 'sent', payload: args },
        ...say(language, '寄出了。', 'Posted.'),
      ],
    },
    {
      name: 'later',
      help: { zh: '以后', en: 'later' },
      run: async ({ args, language }) => [
        { kind: 'timer', timer: 'later', inMs: 86_400_000, payload: args },
        ...say(language, '好的。', 'Tomorrow.'),
      ],
    },
  ],
  tools: [
    {
      name: 'read_all',
      description: 'Reads very much.',
      parameters: { type: 'object' },
      effect: 'read',
      onCrash: 'rerun',
      run: async () => ({ text: `${canary} at length. `.repeat(1000), source: 'others' }),
    },
  ],
  letters: { sent: { came: async () => [] } },
  questions: {
    hold: {
      answer: async ({ event, language }) =>
        event.choice === '' ? say(language, '记下了。', 'Held in words.') : say(language, '留着了。', 'Held.'),
    },
    under: { answer: async () => [] },
  },
  timers: { later: { due: async () => [] } },
  under: ({ text }) => ({ question: 'under', options: [[{ id: 'under', label: 'Under' }]], payload: text }),
}

/** Every key that any place has written the word to. */
const met = new Set<string>()

test.concurrent.each(Object.entries(textPlaces))('%s', { timeout: 120_000 }, async (_, open) => {
  const aof = { aof: true, args: ['--aof-use-rdb-preamble', 'no'] }
  const features = [sampleFeature, probe]
  const log: string[] = []
  const onLog = (line: string): void => void log.push(line)
  const env = { FLOTILLA_LOG_LEVEL: 'debug' }
  await using place = await open({ parts: ['router'], features, redis: aof, env, onLog })
  const { redis } = place.fleet
  using watch = await watchText(redis, canary)
  const said = await tellEverything(place)
  if (said.length > 0) expect(await findLeaks(redis.admin, canary)).not.toEqual([])
  for (const message of said) await place.forget(message)
  // The reply comes a moment before the inbox is trimmed.
  await until(async () => (await findLeaks(redis.admin, canary)).length === 0)
  for (const name of watch.met()) met.add(name)
  // The checker would find it in one key more.
  await redis.admin.hset('fl:{p07}:c:telegram:1', 'x', `a ${canary}`)
  expect(await findLeaks(redis.admin, canary)).toHaveLength(1)
  // What ends by itself has ended.
  for (const key of await findText(redis.admin, canary)) await redis.admin.del(key)
  expect(await findInFiles(redis, canary)).not.toEqual([])
  await rewriteFiles(redis.admin)
  expect(await findInFiles(redis, canary)).toEqual([])
  expect(log.filter((line) => line.includes(canary))).toEqual([])
})

test('the decision names every key that words of people were written to, and no other', () => {
  const rows = readTextRows()
  expect([...met].filter((name) => !rows.has(name))).toEqual([])
  expect([...rows].flatMap(([name, { isRare }]) => (isRare || met.has(name) ? [] : [name]))).toEqual([])
})

/** Sends the word down every path that this place has, and gives the ids of the messages that are to be forgotten. */
async function tellEverything(place: TextPlace): Promise<readonly string[]> {
  const { can, fleet } = place
  const said: string[] = []
  const tell = async (text: string, heard: string): Promise<string> => {
    const message = await place.say(text)
    await place.hear(heard)
    if (can.point) said.push(message)
    // Nothing but the last question can be forgotten here.
    else if (!text.startsWith('/')) await place.forget(message)
    return message
  }
  const crashed = place.say(`what crashes by ${canary}?`)
  await loseWorkers(place)
  await fleet.startExecutor()
  await place.hear('put it aside')
  if (can.point) said.push(await crashed)
  else await place.forget(await crashed)
  const answer = `${canary} and so on. `.repeat(30)
  fleet.model.script({
    when: { text: 'slowly' },
    chunkDelayMs: 20,
    answer: { kind: 'text', text: `${answer}The end.` },
  })
  await tell(`tell me slowly of the first ${canary}`, 'The end.')
  fleet.model.script({
    when: { text: 'at length' },
    times: 1,
    answer: { kind: 'tools', calls: [{ name: 'read_all', arguments: '{}' }] },
  })
  await tell(`read at length of the ${canary}`, 'echo')
  const first = await tell(`what is the second ${canary}?`, `echo: what is the second ${canary}`)
  if (!can.point) return said
  await place.say('/retry')
  await place.hear(`echo: what is the second ${canary}`, 2)
  await place.say('/export')
  await place.hear('What I keep')
  await place.say('/working')
  await place.hear(`topic: "what is the second ${canary}?"`)
  // Its own words are others; what it points at are not.
  await place.say('who wrote this?', first)
  await place.hear('who wrote this')
  await tell(`/note ${canary}`, `: ${canary}`)
  await tell(`/remember ${canary} is a bird`, 'Kept as number')
  const found = await place.say(`the ${canary} lives with Ada`)
  await place.hear(`the ${canary} lives with Ada`)
  said.push(found)
  const from = { conversation: place.conversation, messages: [found] }
  await fleet.runtime.graph.write('user:web:ada', foundIn(from, [factOf(canary, 'lives with', 'Ada')]))
  await place.say('what is a bird?')
  await place.hear('what is a bird')
  await place.say('/memory why 1')
  await place.hear('confirmed by you')
  await tell(`/later ${canary}`, 'Tomorrow')
  await tell(`/remind in 2 days ${canary}`, 'Reminder 1')
  await tell(`/remind tomorrow 9am ${canary}`, 'your time zone')
  await tell(`/post ${canary}`, 'Posted')
  await tell(`/hold held ${canary}`, `Hold held ${canary}`)
  await place.press('Hold it')
  await place.hear('Held.')
  await tell(`/hold said ${canary}`, `Hold said ${canary}`)
  await until(async () => (await fleet.runtime.kernel.findCards(place.conversation, [])).cards.length > 0)
  said.push(await place.say(`rather hold this ${canary}`, await place.card('Hold it')))
  await place.hear('Held in words.')
  await tell(`/hold open ${canary}`, `Hold open ${canary}`)
  if (can.edit) {
    can.edit(first, `what is an edited ${canary}?`)
    await place.hear('You edited')
  }
  if (can.refuse) {
    can.refuse('undelivered')
    said.push(await place.say(`is it undelivered, this ${canary}?`))
    const { admin } = fleet.redis
    await until(async () =>
      (await readStoredRows(admin, place.conversation)).some(({ fields }) => fields['s'] === 'failed'),
    )
  }
  return said
}

/** Six workers take the conversation on, and die. */
async function loseWorkers({ fleet, conversation }: TextPlace): Promise<void> {
  for (let lost = 0; lost < 6;) {
    const claimed = await fleet.runtime.kernel.claim(conversation, `lost-${lost}`, 1)
    if (claimed.kind === 'CLAIMED' && claimed.pending.length > 0) lost = claimed.attempts
    await sleep(5)
  }
}
