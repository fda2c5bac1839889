// The feature that shows and changes the settings of all others: /config with its menu and as the document CONFIG.md, and a command for each setting
// that names one.
import type { Localised } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext, CommandInfo, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import type { Setting } from '#shared/feature/setting.ts'
import { applyConfig, showConfig } from '#services/config/document/config-document.ts'
import { isDocument } from '#services/config/document/read-entries.ts'
import { createMenus, type Menus } from './menus.ts'
import { createSettingCommand } from './setting-command.ts'

const usage: Localised = {
  zh: '`/config` 用按钮显示设置；`/config file` 给出文本 CONFIG.md；把改好的整份文本（从 `# CONFIG` 开始）写在 `/config` 后面，就会应用：要么全部，要么一处不改。',
  en: '`/config` shows the settings as buttons, `/config file` as the text CONFIG.md. Write that text, changed and from `# CONFIG` on, behind `/config`, and it is applied: all of it or nothing.',
}

export const configCommand: CommandInfo = {
  name: 'config',
  help: {
    zh: '本聊天的设置；/config file 以文本给出，改好后贴在 /config 后面即可',
    en: 'settings of this chat; /config file gives them as text, to paste back behind /config',
  },
  more: usage,
  topic: 'chat',
  admins: 'may-ask',
}

/** `features`: those whose settings are listed, in this order. */
export function createConfig(features: readonly Feature[]): Feature {
  const settings = features.flatMap((feature) => feature.settings ?? [])
  const menus = createMenus(settings)
  return {
    name: 'config',
    commands: [
      {
        ...configCommand,
        readsOnly: (args) => !isDocument(args),
        run: (context) => run(settings, menus, context),
      },
      ...settings.flatMap((setting) => createSettingCommand(menus, setting)),
    ],
    questions: { menu: { answer: menus.answer } },
  }
}

const fileWords = new Set(['file', 'config.md', '文件'])

async function run(settings: readonly Setting[], menus: Menus, context: CommandContext): Promise<readonly Effect[]> {
  const { args, language } = context
  const typed = args.trim().toLowerCase()
  if (typed === '') return await menus.all(context)
  if (fileWords.has(typed)) return await showConfig(settings, context)
  if (isDocument(args)) return await applyConfig(settings, context)
  return say(language, usage.zh, usage.en)
}
