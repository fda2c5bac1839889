// /curiosity: what a person is asked, and how often; and an owner stops all of it, for everybody at once.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import type { People } from '#shared/feature/ports.ts'
import type { CardDeps } from '#services/curiosity/desk/card.ts'
import type { DeskSettings } from '#services/curiosity/desk/settings.ts'
import { readHours } from '#shared/desk/hours.ts'
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
    zh: '有些事只有你能告诉我。我把这样的问题攒起来。我们私聊刚说完、两分钟没人说话时，我用一张卡片问，一天最多一张。`/curiosity off` 不要问我，`/curiosity on` 恢复。`/curiosity hours 19-7` 定不打扰的时间：0 到 23 中任意两个不同的整点；`/curiosity hours none` 不要这样的时间。`/curiosity week 1` 定没在聊时每周最多来几张卡片（0 到 2）。`/curiosity 话题` 列出你让我别再问的，`/curiosity 话题 2 恢复` 恢复第 2 个。`/questions` 列出我想问的，`/questions now` 现在就问。主人用 `/curiosity stop all` 让所有人的都停下，`/curiosity start all` 恢复。',
    en: 'Some things only you can tell me. I collect such questions. When we have just talked alone and nothing was said for two minutes, I may ask them by a card, one card a day at most. `/curiosity off` ends that, and `/curiosity on` lifts it. `/curiosity hours 19-7` sets the quiet hours: any two different whole hours from 0 to 23. `/curiosity hours none` takes them away. `/curiosity week 1` sets how many cards a week may come when we have not just talked (0 to 2). `/curiosity topics` lists what I am never to ask you about, and `/curiosity topics 2 allow` lifts the second of them. `/questions` lists what I would like to ask, and `/questions now` asks it. An owner stops it for everybody by `/curiosity stop all`, and `/curiosity start all` lifts that.',
  },
}

const topics = /^(?:topics|话题)(?:\s{1,5}(\d{1,2})\s{1,5}(?:allow|恢复))?$/iu
const form = /^(?:(on|off|开|关)|(hours|时间)\s{1,5}(\S{1,20})|(week|每周)\s{1,5}(\S{1,10})|(stop|start)\s{1,5}all)$/iu

export async function runCuriosity(deps: CommandDeps, context: CommandContext): Promise<Effects> {
  const { args, language, owner } = context
  if (deps.isOff) return say(language, off)
  const words = args.trim()
  if (words === '') return await tellState(deps, context)
  const [ofTopics, place] = topics.exec(words) ?? []
  if (ofTopics !== undefined) return await runTopics(deps, context, place === undefined ? undefined : Number(place))
  const [, onOff, hours, written = '', week, times = '', switched] = form.exec(words) ?? []
  if (switched) return await switchAll(deps, context, switched.toLowerCase() === 'stop')
  if (onOff) return await choose(deps, context, 'asks', ['on', '开'].includes(onOff.toLowerCase()) ? 'on' : 'off')
  if (hours) {
    const read = readHours(written)
    return typeof read === 'string' ? await choose(deps, context, 'hours', read) : say(language, wrongHours[read.wrong])
  }
  if (week) return /^[012]$/u.test(times) ? await choose(deps, context, 'perWeek', times) : say(language, told.week)
  return say(language, owner ? told.ownersUsage : told.usage)
}

async function choose(
  deps: CommandDeps,
  context: CommandContext,
  name: keyof DeskSettings,
  choice: string,
): Promise<Effects> {
  await deps.setChoice(context.principal, deps.settings[name].setting.id, choice)
  return await tellState(deps, context)
}

async function tellState({ settings, incurious }: CommandDeps, context: CommandContext): Promise<Effects> {
  const { principal, language, owner } = context
  if (await incurious.isQuiet()) return say(language, owner ? told.stoppedByOwners : told.stopped)
  if ((await settings.asks.find(principal)) === 'off') return say(language, told.off)
  const [hours, perWeek] = [await settings.hours.find(principal), await settings.perWeek.find(principal)]
  const zh = [
    '我把只有你能回答的问题攒起来。我们私聊刚说完、两分钟没人说话时，我可能用一张卡片问，一天最多一张。',
    perWeek === '0' ? '没在聊时不会来卡片。' : `没在聊时也可能来卡片，每周最多 ${perWeek} 张。`,
    hours === 'none' ? '没有不打扰的时间。' : `${hours.replace('_', ' 点到 ')} 点不打扰。`,
    '`/questions` 列出我想问的，`/curiosity off` 不要问我。',
  ]
  const en = [
    'I collect what only you can tell. When we have just talked alone and nothing was said for two minutes, I may ask by a card: one card a day at most.',
    perWeek === '0'
      ? 'When we have not just talked, no card comes.'
      : `When we have not just talked, a card may come too: ${perWeek} a week at most.`,
    hours === 'none' ? 'There are no quiet hours.' : `Quiet hours: ${hours.replace('_', ':00–')}:00.`,
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
  stoppedByOwners: {
    zh: '有主人让我谁都不问，也不攒问题。`/curiosity start all` 恢复。',
    en: 'An owner has stopped my questions: I ask nobody, and collect none. `/curiosity start all` lifts that.',
  },
  week: {
    zh: '没在聊时每周来几张卡片，可以是 0、1 或 2：例如 `/curiosity week 1`。',
    en: 'When we have not just talked, 0, 1 or 2 cards a week may come: for example `/curiosity week 1`.',
  },
  usage: {
    zh: '用法：`/curiosity on`、`off`、`hours 19-7`、`hours none`、`week 0` 到 `2`、`话题`。',
    en: 'Use `/curiosity on`, `off`, `hours 19-7`, `hours none`, `week 0` to `2`, or `topics`.',
  },
  ownersUsage: {
    zh: '用法：`/curiosity on`、`off`、`hours 19-7`、`hours none`、`week 0` 到 `2`、`话题`；对所有人：`/curiosity stop all`、`start all`。',
    en: 'Use `/curiosity on`, `off`, `hours 19-7`, `hours none`, `week 0` to `2`, or `topics`; for everybody `/curiosity stop all` or `start all`.',
  },
} as const satisfies Record<string, Localised>

const sample = {
  zh: '不打扰的时间从一个整点到另一个整点，例如 `/curiosity hours 19-7`；`/curiosity hours none` 表示没有。',
  en: 'Quiet hours go from one whole hour to another one, such as `/curiosity hours 19-7`. `/curiosity hours none` means that there are none.',
} as const satisfies Localised

const wrongHours = {
  form: { zh: `没看懂这个时间。${sample.zh}`, en: `I cannot read that as hours. ${sample.en}` },
  range: { zh: `钟点只有 0 到 23。${sample.zh}`, en: `An hour is a number from 0 to 23. ${sample.en}` },
  same: { zh: `两个钟点要不一样。${sample.zh}`, en: `The two hours must differ. ${sample.en}` },
} as const satisfies Record<string, Localised>
