// What ends the work of tasks from outside, for those that work and those that wait for a place alike (threat T26): from five seconds after it neither a model nor
// a tool is called for them. They are paused, lose nothing, and go on when somebody who may says so.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { SimulatedChat } from '#test/rig/chats/chat.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/fleet.ts'

const steps = Array.from({ length: 3 }, (_, n) => ({ title: `Part ${n + 1}`, task: 'Dig a hole.' }))
/** As many as one person may have at work. */
const tasks = 3
const mostMs = 5000
const stillMs = 4000

/** Bob has ordered three tasks whose steps dig and dig, in a group or alone with the bot; fewer can work than there are. */
async function openScene(where: 'group' | 'direct') {
  let made = 0
  const digging: Feature = {
    name: 'digging',
    tools: [
      {
        name: 'dig',
        description: 'Digs.',
        parameters: { type: 'object', properties: { n: { type: 'number' } } },
        effect: 'read',
        onCrash: 'rerun',
        run: async () => ((made += 1), { text: 'dug', source: 'own' }),
      },
    ],
  }
  const platform = await startTelegram()
  const env = { FLOTILLA_EXECUTOR_CONCURRENCY: '3', TELEGRAM_RATES: '10000,10000,10000' }
  const fleet = await startChatFleet([platform], { owner: 'Olga', features: [digging], env })
  let isOver = false
  let n = 0
  fleet.model.decideBy(({ messages }) => {
    const last = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? '')
    const call = (name: string, input: object) => ({
      answer: { kind: 'tools' as const, calls: [{ id: `c${(n += 1)}`, name, arguments: JSON.stringify(input) }] },
      latencyMs: 300,
    })
    if (last.includes('Call the tool task_plan')) return call('task_plan', { steps })
    if (!/, step \d/.test(last)) return { answer: { kind: 'text', text: '[ALL]' } }
    return isOver ? { answer: { kind: 'text', text: 'It is dug.' } } : call('dig', { n })
  })
  const olga = platform.direct('Olga')
  await olga.answerTo('Olga', '/status')
  const idOf = (who: string): number => Number(platform.principal(who).replace('telegram:', ''))
  if (where === 'direct') await olga.answerTo('Olga', `/allow ${idOf('Bob')}`)
  const place =
    where === 'group'
      ? platform.group({ by: 'Olga', title: 'Garden', hasThreads: false, isBotAdmin: true })
      : platform.direct('Bob')
  if (where === 'group') await says(place, 'Hello everyone')
  for (let nth = 0; nth < tasks; nth++) place.ask('Bob', '/task dig three holes without stopping')
  await until(() => made >= tasks)
  const counts = () => ({ dug: made, asked: fleet.model.ledger.entries.length })
  return {
    platform,
    fleet,
    place,
    olga,
    idOf,
    counts,
    chatId: Number(place.conversation.replace('telegram:', '')),
    finish: () => void (isOver = true),
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      await platform[Symbol.asyncDispose]()
    },
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

const says = (place: SimulatedChat, part: string, times = 1): Promise<unknown> =>
  place.until(() => place.said().filter(({ text }) => text.includes(part)).length >= times || undefined)

/** How many tasks the chat's list says are so. */
async function countOf({ fleet, place }: Scene, state: string): Promise<number> {
  const key = `${partitionPrefix(toPartition(place.conversation))}r:${place.conversation}`
  const stored = Object.entries(await fleet.redis.admin.hgetall(key))
  // A conversation in which nothing happens is stored otherwise.
  const list = stored.find(([name]) => name === 'f.tasks') ?? stored.find(([name]) => name === 'rest')
  return (list?.[1] ?? '').split(`"state":"${state}"`).length - 1
}

type Stop = {
  readonly where: 'group' | 'direct'
  act(scene: Scene): unknown
  /** Undoes it, where that is a matter of words. */
  back?(scene: Scene): unknown
  /** What the chat is told of each task. */
  readonly told?: string
}

const stops: Readonly<Record<string, Stop>> = {
  'who ordered them may not use the bot any more': {
    where: 'direct',
    act: ({ olga, idOf }) => olga.answerTo('Olga', `/allow -${idOf('Bob')}`),
    back: ({ olga, idOf }) => olga.answerTo('Olga', `/allow ${idOf('Bob')}`),
    told: 'the person who ordered it may not use me here now',
  },
  'the group is not let in any more': {
    where: 'group',
    act: ({ place }) => place.answerTo('Olga', '/allow -here'),
    back: ({ place }) => place.answerTo('Olga', '/allow here'),
    told: 'the person who ordered it may not use me here now',
  },
  'the bot is put out of the group': {
    where: 'group',
    act: ({ platform, chatId, idOf }) => platform.telegram.removeBotFromGroup({ chat: chatId, by: idOf('Olga') }),
    back: ({ platform, chatId, idOf }) => platform.telegram.addBotToGroup({ chat: chatId, by: idOf('Olga') }),
  },
  'who ordered them blocks the bot': {
    where: 'direct',
    act: ({ platform, idOf }) => platform.telegram.block(idOf('Bob')),
    back: ({ platform, idOf }) => platform.telegram.unblock(idOf('Bob')),
  },
  'an owner pauses each of them': {
    where: 'group',
    act: async ({ place }) => {
      for (let nth = 1; nth <= tasks; nth++) place.ask('Olga', `/task ${nth} pause`)
    },
    told: 'is paused. What is done stays.',
  },
}

test.concurrent.each(Object.entries(stops))('%s', { timeout: 90_000 }, async (_, { where, act, back, told }) => {
  await using scene = await openScene(where)
  const { place, counts, finish } = scene
  await act(scene)
  await sleep(mostMs)
  const before = counts()
  await sleep(stillMs)
  expect(counts()).toEqual(before)
  expect(await countOf(scene, 'PAUSED')).toBe(tasks)
  if (told !== undefined) await says(place, told, tasks)

  finish()
  await back?.(scene)
  for (let nth = 1; nth <= tasks; nth++) place.ask('Bob', `/task ${nth} resume`)
  await until(async () => (await countOf(scene, 'COMPLETED')) === tasks)
  expect(counts().dug).toBe(before.dug)
})

test('a tool that an owner closes in a chat is called no more for tasks there', { timeout: 60_000 }, async () => {
  await using scene = await openScene('group')
  const { place, counts, finish } = scene
  await place.answerTo('Olga', '/tools dig nobody')
  await sleep(mostMs)
  const { dug } = counts()
  await sleep(stillMs)
  expect(counts().dug).toBe(dug)
  finish()
  await says(place, 'Task #1 · done')
  expect(counts().dug).toBe(dug)
})
