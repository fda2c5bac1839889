// A command that changes one setting: with the name of a choice it makes it, in either language; else it shows the choices as buttons.
import type { Localised } from '#shared/chat/message.ts'
import type { Command } from '#shared/feature.ts'
import { mayChange, sayNotAllowed } from './group-rights.ts'
import { toHeld, toSpoken, withMeaning, type MenuItem, type Menus } from './menus.ts'
import { say } from './say.ts'

export const createSettingCommand =
  (menus: Menus) =>
  (name: string, item: MenuItem, help: Localised): Command => ({
    name,
    help,
    async run(context) {
      const { args, conversation, event, language } = context
      if (item.isFor?.(event) === false) return say(language, '这个命令只用于群聊。', 'This command is for groups.')
      const wanted = args.trim().toLowerCase()
      const choice = item.choices.find(({ id, label }) =>
        [id, label.zh, label.en].some((known) => known.toLowerCase() === wanted),
      )
      if (!choice) return await menus.one(item, context)
      if (!mayChange(event.group, context)) return sayNotAllowed(language)
      await item.choose?.(choice.id, conversation)
      const { id, setting } = choice
      const spoken = toSpoken(choice, language)
      const held = `${toHeld(item, id, spoken)}${spoken === 'zh' ? '。' : '.'}`
      const text = withMeaning(held, item, { choice: id, language: spoken })
      return [...(setting ? [{ kind: 'set', setting } as const] : []), { kind: 'send', text }]
    },
  })
