// /curiosity: what a person is asked, and how often; and an owner stops all of it, for everybody at once.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import type { People } from '#shared/feature/ports.ts'
import type { CardDeps } from '#services/curiosity/desk/card.ts'
import type { DeskSettings } from '#services/curiosity/desk/settings.ts'
import { off } from '#services/curiosity/desk/questions-command.ts'
import { runTopics } from '#services/curiosity/desk/topics.ts'
import type { Switch } from '#services/curiosity/desk/ports.ts'

type CommandDeps = Pick<CardDeps, 'memory' | 'desks'> & {
  readonly settings: DeskSettings
  readonly incurious: Switch
  readonly isOff: boolean
} & Pick<People, 'setChoice'>
type Effects = readonly StepEffect<never>[]

export const curiosityCommand: CommandInfo = {
  name: 'curiosity',
  help: { zh: '我会不会问你，什么时候问', en: 'whether and when I ask you things' },
  more: {
    zh: '有些事只有你能告诉我。我把这样的问题攒起来，在我们私聊刚说完时用一张卡片问，一天最多一张。`/curiosity off` 不要问我，`/curiosity on` 恢复；`/curiosity hours 22-8` 定不打扰的时间，`/curiosity week 1` 定每周最多主动问几次（0 到 2）。`/questions` 列出我想问的，`/questions now` 现在就问。`/curiosity 话题` 列出你让我别再问的，`/curiosity 话题 2 恢复` 恢复第 2 个。主人用 `/curiosity stop all` 让所有人的都停下，`/curiosity start all` 恢复。',
    en: 'Some things only you can tell me. I collect such questions, and ask them by one card when we have just talked alone, one card a day at most. `/curiosity off` ends that, and `/curiosity on` lifts it; `/curiosity hours 22-8` sets the quiet hours, and `/curiosity week 1` how many cards a week may come by themselves (0 to 2). `/questions` lists what I would like to ask, and `/questions now` asks it. `/curiosity topics` lists what I am never to ask you about, and `/curiosity topics 2 allow` lifts the second of them. An owner stops it for everybody by `/curiosity stop all`, and `/curiosity start all` lifts that.',
  },
}

const topics = /^(?:topics|话题)(?:\s{1,5}(\d{1,2})\s{1,5}(?:allow|恢复))?$/iu
const form = /^(?:(on|off|开|关)|(hours|时间)\s{1,5}(\S{1,10})|(week|每周)\s{1,5}(\S{1,10})|(stop|start)\s{1,5}all)$/iu

export async function runCuriosity(deps: CommandDeps, context: CommandContext): Promise<Effects> {
  const { args, language, principal } = context
  if (deps.isOff) return say(language, off)
  const words = args.trim()
  if (words === '') return await tellState(deps, context)
  const [ofTopics, place] = topics.exec(words) ?? []
  if (ofTopics !== undefined) return await runTopics(deps, context, place === undefined ? undefined : Number(place))
  const [, onOff, hours, from, week, times, switched] = form.exec(words) ?? []
  if (switched) return await switchAll(deps, context, switched.toLowerCase() === 'stop')
  const [setting, choice] = onOff
    ? [deps.settings.asks.setting, ['on', '开'].includes(onOff.toLowerCase()) ? 'on' : 'off']
    : hours
      ? [deps.settings.hours.setting, from?.toLowerCase().replace('-', '_')]
      : week
        ? [deps.settings.perWeek.setting, times]
        : []
  const chosen = setting?.choices.find(({ id }) => id === choice)
  if (!setting || !chosen) return say(language, told.usage)
  await deps.setChoice(principal, setting.id, chosen.id)
  return await tellState(deps, context)
}

async function tellState({ settings, incurious }: CommandDeps, context: CommandContext): Promise<Effects> {
  const { principal, language } = context
  if (await incurious.isQuiet()) return say(language, told.stopped)
  if ((await settings.asks.find(principal)) === 'off') return say(language, told.off)
  const [hours, perWeek] = [await settings.hours.find(principal), await settings.perWeek.find(principal)]
  const zh = [
    '我把只有你能回答的问题攒起来，私聊刚说完时用一张卡片问，一天最多一张。',
    hours === 'none' ? '没有不打扰的时间。' : `${hours.replace('_', ' 点到 ')} 点不打扰。`,
    perWeek === '0' ? '不会主动问。' : `每周最多主动问 ${perWeek} 次。`,
    '`/questions` 列出我想问的，`/curiosity off` 不要问我。',
  ]
  const en = [
    'I collect what only you can tell, and ask by one card when we have just talked alone: one card a day at most.',
    hours === 'none' ? 'There are no quiet hours.' : `Quiet hours: ${hours.replace('_', ':00–')}:00.`,
    perWeek === '0' ? 'No card comes by itself.' : `Cards that come by themselves: ${perWeek} a week at most.`,
    '`/questions` lists what I would like to ask, and `/curiosity off` ends it.',
  ]
  return say(language, { zh: zh.join(''), en: en.join(' ') })
}

async function switchAll(
  { incurious }: CommandDeps,
  { owner, language, principal }: CommandContext,
  isStop: boolean,
): Promise<Effects> {
  if (!owner) return say(language, told.owners)
  await incurious.setQuiet(isStop, principal)
  return say(language, isStop ? told.stop : told.start)
}

const say = (language: Language, said: Localised): Effects => [{ kind: 'send', text: said[language] }]

const told = {
  off: { zh: '我不会问你。`/curiosity on` 恢复。', en: 'I ask you nothing. `/curiosity on` lifts that.' },
  stopped: {
    zh: '主人让我暂时谁都不问。',
    en: 'An owner has me ask nobody for now.',
  },
  stop: {
    zh: '从现在起我谁都不问，也不再攒问题。`/curiosity start all` 恢复。',
    en: 'From now on I ask nobody, and collect no questions. `/curiosity start all` lifts that.',
  },
  start: { zh: '我又会攒问题了。', en: 'I collect questions again.' },
  owners: { zh: '只有主人可以为所有人更改。', en: 'Only an owner can change that for everybody.' },
  usage: {
    zh: '用法：`/curiosity on`、`off`、`hours 22-8`（或 21-9、20-10、none）、`week 0` 到 `2`、`话题`。',
    en: 'Use `/curiosity on`, `off`, `hours 22-8` (or 21-9, 20-10, none), `week 0` to `2`, or `topics`.',
  },
} as const satisfies Record<string, Localised>
