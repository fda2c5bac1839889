// A command that changes one setting: with the name of a choice it makes it, in either language; else it shows the choices as buttons.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Command, CommandInfo } from '#shared/feature/feature.ts'
import { notForOthers } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import type { Setting } from '#shared/feature/setting.ts'
import { toChoose, toHeld, withCaution, withMeaning } from '#services/config/document/held.ts'
import { toPlain, type Menus } from './menus.ts'

/** What is known of such a command before its feature is made. */
export const toCommandInfo = (command: NonNullable<Setting['command']>, of: Setting['of']): CommandInfo => ({
  ...command,
  topic: 'chat',
  ...(of === 'person' ? { only: 'direct' } : { admins: 'with-args' }),
})

/** None for a setting that names no command. */
export function createSettingCommand(menus: Menus, setting: Setting): readonly Command[] {
  const { command } = setting
  if (!command) return []
  return [
    {
      ...toCommandInfo(command, setting.of),
      more: toForms(command.name, setting),
      ...(setting.isFor?.({ group: false }) === false ? { only: 'groups' } : {}),
      async run(context) {
        const { args, conversation, event, language, owner, principal } = context
        if (setting.isFor?.(event) === false)
          return say(language, '这个命令只用于群聊。', 'This command is for groups.')
        if (setting.of === 'person' && event.group)
          return say(
            language,
            `这是你自己的设置，在每个聊天里都一样。请在和我的单独聊天里写 /${command.name}。`,
            `This is your own setting, the same in every chat. Write /${command.name} to me in our direct chat.`,
          )
        const wanted = args.trim().toLowerCase()
        const choice = setting.choices.find(({ id, label }) =>
          [id, label.zh, label.en].some((known) => known.toLowerCase() === wanted),
        )
        if (!choice)
          return await menus.one(setting, context, wanted === '' ? undefined : toNote(setting, args, language))
        if (setting.onlyOwners && !owner) return say(language, notForOthers.zh, notForOthers.en)
        await setting.choose?.(choice.id, { conversation, principal })
        const spoken = choice.language ?? language
        const held = `${toHeld(setting, choice.id, spoken)}${spoken === 'zh' ? '。' : '.'}`
        const said = { choice: choice.id, language: spoken, conversation }
        const text = await withCaution(withMeaning(held, setting, said), setting, said)
        return [...toChoose(setting, choice), { kind: 'send', text }]
      },
    },
  ]
}

/** Each choice by its name, with what it means. */
function toForms(name: string, { choices }: Setting): Localised {
  const inWords = (language: Language): string =>
    [
      language === 'zh' ? `- \`/${name}\`：用按钮显示选项` : `- \`/${name}\` shows the choices as buttons`,
      ...choices.map(({ id, label, meaning }) => {
        const means = meaning?.[language] ?? toPlain(label[language])
        return language === 'zh' ? `- \`/${name} ${id}\`：${means}` : `- \`/${name} ${id}\`: ${means}`
      }),
    ].join('\n')
  return { zh: inWords('zh'), en: inWords('en') }
}

const mostTypedChars = 40

/** What was typed is no choice, and which there are. */
function toNote({ choices }: Setting, args: string, language: Language): string {
  const typed = toPlain(args.trim().replaceAll(/\s+/g, ' ').slice(0, mostTypedChars).toWellFormed())
  const known = choices.map(({ id }) => `\`${id}\``)
  return language === 'zh'
    ? `没有“${typed}”这个选项。可以写：${known.join('、')}。`
    : `“${typed}” is none of the choices. Write one of ${known.join(', ')}.`
}
