// /zone: a person's own time zone, the same in every conversation of theirs. It is shown, set by its name or by a button, and taken back.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Effect, StepEffect } from '#shared/feature/effect.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { AnswerContext, CommandContext, CommandInfo, Feature } from '#shared/feature/feature.ts'
import type { Clock, People, Ports } from '#shared/feature/ports.ts'
import { say } from '#shared/feature/say.ts'
import { findZone } from '#shared/feature/find-zone.ts'
import { askForZone, endZoneCards, readZone, sayNoZone } from '#shared/feature/zone-card.ts'

export type ZoneDeps = Pick<People, 'setZone'> & Pick<Clock, 'now'>

const command: CommandInfo = {
  name: 'zone',
  help: { zh: '你的时区，例如 /zone Asia/Shanghai', en: 'your time zone, such as /zone Europe/Berlin' },
  more: {
    zh: '`/zone` 显示你的时区，并给出别的选择。`/zone Asia/Shanghai` 或 `/zone 上海` 设定它，在你所有的会话里都有效；`/zone off` 撤销。',
    en: '`/zone` shows your time zone and offers others. `/zone Europe/Berlin` or `/zone Berlin` sets it, for all of your conversations; `/zone off` takes it back.',
  },
  topic: 'time',
}

export const zoneCapability: Capability<Pick<Ports, 'people' | 'clock'>> = {
  commands: [command],
  create: ({ people, clock }) => createZone({ ...people, ...clock }),
}

const off = new Set(['off', 'none', '无', '清除'])
const mostTypedChars = 40

export function createZone(deps: ZoneDeps): Feature {
  return {
    name: 'zone',
    commands: [{ ...command, run: (context) => run(deps, context) }],
    questions: { pick: { answer: (context) => pick(deps, context) } },
  }
}

async function run(deps: ZoneDeps, context: CommandContext): Promise<readonly StepEffect<never>[]> {
  const { principal, language } = context
  const typed = context.args.trim()
  if (typed === '') return [await show(deps, context)]
  if (off.has(typed.toLowerCase())) {
    await deps.setZone(principal, undefined)
    return say(language, '你设的时区我不再记得。', 'I no longer keep the time zone that you set.')
  }
  const found = findZone(typed)
  if (found.kind === 'unknown') return sayUnknown(language, typed, found.nearest)
  await deps.setZone(principal, found.zone)
  return [{ kind: 'send', text: toHeld(deps, found.zone, language) }, endZoneCards(principal)]
}

async function show(deps: ZoneDeps, { principal, language, zone }: CommandContext): Promise<StepEffect<never>> {
  const held = await zone()
  const unknown = language === 'zh' ? '我还不知道你的时区。' : 'I do not know your time zone yet.'
  const text = held === undefined ? unknown : toHeld(deps, held, language)
  return askForZone(language, { question: 'pick', payload: '', principal, text, isShown: true })
}

/** What the card keeps that asks for the second and last time. */
const askedAgain = 'again'
const sayLeft: Localised = {
  zh: '时区没有变。写 `/zone 城市` 随时可以设。',
  en: 'Your time zone stays as it was. Write `/zone` and a city to set it at any time.',
}

async function pick(deps: ZoneDeps, { event, principal, language }: AnswerContext): Promise<readonly Effect<never>[]> {
  const read = readZone(event)
  // Words that say something else are a message.
  if (read.kind === 'unknown' && read.isMore && read.words !== '')
    return [{ kind: 'turn', text: read.words, about: event.messages ?? [] }]
  if (read.kind === 'unknown' && event.payload !== askedAgain)
    return [
      askForZone(language, {
        question: 'pick',
        payload: askedAgain,
        principal,
        text: sayNoZone[language],
        inPlace: true,
        isShown: true,
      }),
    ]
  if (read.kind !== 'zone') return [{ kind: 'send', text: sayLeft[language], inPlace: true }]
  await deps.setZone(principal, read.zone)
  return [{ kind: 'send', text: toHeld(deps, read.zone, language), inPlace: true }, endZoneCards(principal)]
}

/** The zone, and its time of day, by which people see whether it is theirs. */
function toHeld({ now }: ZoneDeps, zone: string, language: Language): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(now())
  return language === 'zh' ? `你的时区：${zone}，那里现在是 ${time}。` : `Your time zone: ${zone}, where it is ${time}.`
}

function sayUnknown(language: Language, typed: string, nearest: string | undefined): readonly StepEffect<never>[] {
  const name = typed
    .replaceAll(/[`\s]+/g, ' ')
    .slice(0, mostTypedChars)
    .toWellFormed()
  const meant = nearest === undefined ? undefined : `\`/zone ${nearest}\``
  return say(
    language,
    `没有“\`${name}\`”这个时区。${meant ? `是不是想写 ${meant}？` : '请写城市所在的名称，例如 `/zone Asia/Shanghai`，或 `/zone +08:00`。'}`,
    `There is no time zone \`${name}\`. ${meant ? `Did you mean ${meant}?` : 'Write a name such as `/zone Europe/Berlin`, or `/zone +02:00`.'}`,
  )
}
