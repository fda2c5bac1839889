// /zone, and the card by which any feature asks for a person's zone at the first request that needs it.
import { expect, test } from 'vitest'
import { createZone } from '#services/zone/zone.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Asking, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { namedZones } from '#shared/feature/named-zones.ts'
import { askForZone, readZone, type ReadZone } from '#shared/feature/zone-card.ts'
import { findZone } from '#shared/feature/find-zone.ts'
import places from '#shared/feature/places.json' with { type: 'json' }
import { toApply, toCommand, wonPress } from '#test/rig/events.ts'
import { createStage, type Stage } from '#test/services/executor/stage.ts'

const zoneOf = (read: ReadZone): string => (read.kind === 'zone' ? read.zone : 'UTC')
const noon = Date.UTC(2026, 0, 15, 12)

/** As a later feature would: what it was asked waits in its question until the zone is known. */
function createAlarm(setZone: (principal: string, zone: string) => Promise<void>): Feature {
  const ring = async (asking: Asking, wanted: string, zone: string): Promise<readonly Effect[]> =>
    say(asking.language, `${wanted}（${zone}）`, `At ${wanted}, ${zone}.`)
  return {
    name: 'alarm',
    commands: [
      {
        name: 'alarm',
        help: { zh: '闹钟', en: 'alarm' },
        async run(context) {
          const zone = await context.zone()
          const { language, principal, args } = context
          return zone === undefined
            ? [askForZone(language, { question: 'zone', payload: args, principal })]
            : await ring(context, args, zone)
        },
      },
    ],
    questions: {
      zone: {
        async answer(context) {
          const zone = zoneOf(readZone(context.event))
          await setZone(context.principal, zone)
          return await ring(context, context.event.payload, zone)
        },
      },
    },
  }
}

function openStage(): { readonly stage: Stage; readonly zones: Map<string, string> } {
  const zones = new Map<string, string>()
  const setZone = async (principal: string, zone: string | undefined): Promise<void> =>
    void (zone === undefined ? zones.delete(principal) : zones.set(principal, zone))
  const features = [createZone({ setZone, now: () => noon }), createAlarm(setZone)]
  return { stage: createStage({ features, findZone: async (principal) => zones.get(principal) }), zones }
}
const zone = async (stage: Stage, args = '', language: Language = 'en'): Promise<string> =>
  await stage.ask(`/zone ${args}`, { as: toCommand('zone', args), language })

test('is set by its name, shown with its time, and taken back', async () => {
  const { stage, zones } = openStage()
  expect(await zone(stage)).toMatch(/^I do not know your time zone yet\. Choose one.*`Europe\/Paris`\.$/)
  expect(await zone(stage, 'europe/berlin')).toBe('Your time zone: Europe/Berlin, where it is 13:00.')
  expect([...zones]).toEqual([['web:ann', 'Europe/Berlin']])
  expect(await zone(stage)).toMatch(/^Your time zone: Europe\/Berlin, where it is 13:00\. Choose one/)
  expect(await zone(stage, 'off')).toBe('I no longer keep the time zone that you set.')
  expect(zones.size).toBe(0)
  expect(await zone(stage, '+08:00', 'zh')).toBe('你的时区：+08:00，那里现在是 20:00。')
})

test('a wrong name is told with what was meant, and nothing of it reads as Markdown', async () => {
  const { stage, zones } = openStage()
  expect(await zone(stage, 'Europe/Berln')).toBe(
    'There is no time zone `Europe/Berln`. Did you mean `/zone Europe/Berlin`?',
  )
  expect(await zone(stage, '`x` [a](https://evil.example)\n# y'.padEnd(300, '!'))).toMatch(
    /^There is no time zone ` x {1,2}\[a\]\(https:\/\/evil\.example\) # y!*`\. Write a name such as/,
  )
  expect(zones.size).toBe(0)
})

test('is chosen by a button, in the place of the card', async () => {
  const { stage, zones } = openStage()
  await zone(stage)
  expect(await stage.press('New York')).toBe('Your time zone: America/New_York, where it is 07:00.')
  expect((await stage.sent()).at(-1)).toHaveProperty('replaces')
  expect([...zones.values()]).toEqual(['America/New_York'])
  await zone(stage, '', 'zh')
  expect(await stage.press('北京')).toContain('Asia/Shanghai')
})

test('is asked by a card at the first request that needs it, which then goes on, and never again', async () => {
  const { stage } = openStage()
  const alarm = async (at: string): Promise<string> => await stage.ask(`/alarm ${at}`, { as: toCommand('alarm', at) })
  expect(await alarm('seven')).toMatch(/^For this I need to know your time zone\. Choose one.*“I’m in Lyon”/)
  expect(await stage.press('Berlin')).toBe('At seven, Europe/Berlin.')
  expect(await alarm('eight')).toBe('At eight, Europe/Berlin.')
})

test('of two requests before it is known one card stays open', async () => {
  const { stage } = openStage()
  for (const at of ['seven', 'eight']) await stage.ask(`/alarm ${at}`, { as: toCommand('alarm', at) })
  expect(await stage.press('London')).toBe('At eight, Europe/London.')
})

test('every choice of the card is a zone, in both languages', () => {
  for (const language of ['zh', 'en'] as const) {
    const { options } = askForZone(language, { question: 'q', payload: '', principal: 'web:ann' })
    expect(options.flat()).toHaveLength(9)
    for (const { id } of options.flat()) expect(readZone({ choice: id }).kind).toBe('zone')
  }
  for (const { zone: timeZone } of namedZones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  expect(readZone({ choice: 'Mars-Base' }).kind).toBe('unknown')
})

test.each([
  ["I'm in Lyon", 'Europe/Paris'],
  ['Im Lyon', undefined],
  ['Europe/Paris', 'Europe/Paris'],
  ['i am in new york now', 'America/New_York'],
  ['We live in Lyon, France.', 'Europe/Paris'],
  ['my time zone is Asia/Tokyo', 'Asia/Tokyo'],
  ['Munich time please', 'Europe/Berlin'],
  ['UTC+8', '+08:00'],
  ['München', 'Europe/Berlin'],
  ['France', 'Europe/Paris'],
  ['我在成都', 'Asia/Shanghai'],
  ['我现在住在里昂。', 'Europe/Paris'],
  ['北京时间', 'Asia/Shanghai'],
  ['德国', 'Europe/Berlin'],
  ['Atlantis', undefined],
] as const)('“%s” after the card is %s', (words, meant) => {
  const read = readZone({ choice: '', words })
  expect(read).toMatchObject(meant === undefined ? { kind: 'unknown', isMore: false } : { kind: 'zone', zone: meant })
})

test.each([
  'what is the capital of France?',
  'I am very tired today and go to bed',
  '今天我们去公园玩了一整天很开心',
  'x'.repeat(5000),
])('“%s” says something else', (words) => {
  expect(readZone({ choice: '', words })).toMatchObject({ kind: 'unknown', isMore: true })
})

test.each(['no', 'Never mind.', 'cancel', '不用了', '算了。'])('“%s” leaves it as it was', async (words) => {
  const { stage, zones } = openStage()
  await zone(stage)
  await stage.put(wonPress({ about: 'zone.pick', choice: '', words, said: true }), toApply('answer'))
  await stage.work()
  expect((await stage.sent()).at(-1)?.text).toMatch(/^Your time zone stays as it was|^时区没有变/)
  expect(zones.size).toBe(0)
})

test('a place that is not known is asked for once more, and then no longer', async () => {
  const { stage } = openStage()
  await zone(stage)
  const asked = (): number => stage.steps.flatMap(({ questions = [] }) => questions).length
  for (const [id, more] of [
    ['a1', 1],
    ['a2', 0],
  ] as const) {
    const [before, last] = [asked(), stage.steps.flatMap(({ questions = [] }) => questions).at(-1)]
    const payload = last?.payload ?? ''
    await stage.put(
      wonPress({ id, about: 'zone.pick', choice: '', words: 'Atlantis', said: true, payload }),
      toApply('answer'),
    )
    await stage.work()
    expect(asked() - before).toBe(more)
  }
})

test('every place that people name has a zone, and stands there once', () => {
  const all = Object.entries(places).flatMap(([known, names]) =>
    names.split(' | ').map((name) => [name, known] as const),
  )
  expect(new Set(all.map(([name]) => name)).size).toBe(all.length)
  for (const [name] of all) expect(findZone(name).kind, name).toBe('zone')
  for (const [, timeZone] of all) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
})

test.each([
  ['en', 'I live in Lyon', 'Your time zone: Europe/Paris, where it is 13:00.'],
  ['zh', '我在里昂', '你的时区：Europe/Paris，那里现在是 13:00。'],
] as const)('is said in words after the card: %s', async (language, words, text) => {
  const { stage, zones } = openStage()
  await zone(stage, '', language)
  await stage.put(wonPress({ about: 'zone.pick', choice: '', words, said: true }), toApply('answer'))
  await stage.work()
  expect((await stage.sent()).at(-1)?.text).toBe(text)
  expect([...zones.values()]).toEqual(['Europe/Paris'])
})
