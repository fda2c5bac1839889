// /quiet: an owner has the whole fleet do nothing by itself, and lifts that again. What people say and press is answered as ever.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { CommandContext, CommandInfo, Feature } from '#shared/feature/feature.ts'

/** Whether the fleet does nothing by itself. */
export type QuietDeps = {
  isQuiet(): Promise<boolean>
  setQuiet(on: boolean, by: PrincipalId): Promise<void>
}

const command: CommandInfo = {
  name: 'quiet',
  help: { zh: '让我什么都不自动做', en: 'have me do nothing by myself' },
  more: {
    zh: '`/quiet on`：在所有聊天里我什么都不自动做，不发提醒，也不因期限到了而继续。`/quiet off`：恢复，到时没做的会补上。`/quiet` 说明现在是哪一种。',
    en: '`/quiet on` has me do nothing by myself in any chat: no reminders, and nothing goes on because a deadline passed. `/quiet off` ends that, and what was due meanwhile comes then. `/quiet` tells which holds.',
  },
  only: 'owners',
}

export const quietCapability: Capability<{ readonly quiet: QuietDeps }> = {
  commands: [command],
  create: ({ quiet }) => createQuietFeature(quiet),
}

const createQuietFeature = (deps: QuietDeps): Feature => ({
  name: 'quiet',
  commands: [{ ...command, run: (context) => run(deps, context) }],
})

async function run(deps: QuietDeps, context: CommandContext): Promise<readonly StepEffect<never>[]> {
  const { args, language, owner, event } = context
  const word = args.trim().toLowerCase()
  const say = (said: Localised): readonly StepEffect<never>[] => [{ kind: 'send', text: said[language] }]
  if (word === '') return say((await deps.isQuiet()) ? words.isOn : words.isOff)
  if (!owner) return say(words.owners)
  const isOn = ['on', '开'].includes(word)
  if (!isOn && !['off', '关'].includes(word)) return say(words.usage)
  await deps.setQuiet(isOn, event.principal)
  return say(isOn ? words.on : words.off)
}

const words = {
  on: {
    zh: '从现在起，在所有聊天里我什么都不自动做：不发提醒，不因期限到了而继续，不在后台用模型。你们说的、按的我照常回答。`/quiet off` 恢复，到时没做的会补上。',
    en: 'From now on I do nothing by myself, in any chat: no reminders, nothing that goes on because a deadline passed, no model in the background. What people say and press I answer as ever. `/quiet off` lifts it, and what was due meanwhile comes then.',
  },
  off: {
    zh: '我又会自动做事了；这段时间该做的现在补上。',
    en: 'I act by myself again. What was due meanwhile comes now.',
  },
  isOn: {
    zh: '我现在什么都不自动做：主人用 `/quiet on` 关掉了。`/quiet off` 恢复。',
    en: 'I do nothing by myself now: an owner said `/quiet on`. `/quiet off` lifts it.',
  },
  isOff: {
    zh: '我会自动做该做的事。主人用 `/quiet on` 可以全部关掉。',
    en: 'I act by myself where something is due. An owner turns all of that off by `/quiet on`.',
  },
  owners: { zh: '只有主人可以更改。', en: 'Only an owner can change that.' },
  usage: { zh: '用法：`/quiet on` 或 `/quiet off`。', en: 'Use `/quiet on` or `/quiet off`.' },
} as const satisfies Readonly<Record<string, Localised>>
