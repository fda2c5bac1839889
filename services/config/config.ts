// The feature that shows and changes the settings of all others: /config with its menu, and a command for each setting that names one.
import type { Feature } from '#shared/feature/feature.ts'
import { createMenus } from './menus.ts'
import { createSettingCommand } from './setting-command.ts'

/** `features`: those whose settings are listed, in this order. */
export function createConfig(features: readonly Feature[]): Feature {
  const settings = features.flatMap((feature) => feature.settings ?? [])
  const menus = createMenus(settings)
  return {
    name: 'config',
    commands: [
      { name: 'config', help: { zh: '本聊天的设置', en: 'settings of this chat' }, readsOnly: true, run: menus.all },
      ...settings.flatMap((setting) => createSettingCommand(menus, setting)),
    ],
    questions: { menu: { formerly: 'menu', answer: menus.answer } },
  }
}
