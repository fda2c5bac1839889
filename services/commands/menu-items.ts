// The settings that every chat's menu offers.
import { depths, type Depth } from '#shared/chat/decision.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { MenuItem } from './menus.ts'

const same = (text: string): Localised => ({ zh: text, en: text })
const automatic: Localised = { zh: '自动', en: 'automatic' }
const depthNames: Readonly<Record<Depth, Localised>> = {
  light: { zh: '轻度', en: 'light' },
  standard: { zh: '标准', en: 'standard' },
  deep: { zh: '深入', en: 'deep' },
}

export const languageItem: MenuItem = {
  id: 'language',
  label: { zh: '语言', en: 'Language' },
  holds: ({ state }) => state.language ?? 'auto',
  choices: [
    { id: 'zh', label: same('中文'), setting: { name: 'language', value: 'zh' } },
    { id: 'en', label: same('English'), setting: { name: 'language', value: 'en' } },
    { id: 'auto', label: automatic, setting: { name: 'language', value: undefined } },
  ],
}

export const depthItem: MenuItem = {
  id: 'depth',
  label: { zh: '默认深度', en: 'Default depth' },
  holds: ({ state }) => state.depth ?? 'auto',
  choices: [
    ...depths.map((depth) => ({
      id: depth,
      label: depthNames[depth],
      setting: { name: 'depth', value: depth } as const,
    })),
    { id: 'auto', label: automatic, setting: { name: 'depth', value: undefined } },
  ],
}

/** The buttons shorter and longer. */
export const resizeItem: MenuItem = {
  id: 'resize',
  label: { zh: '回答下的按钮', en: 'Buttons under answers' },
  holds: ({ state }) => (state.resize ? 'on' : 'off'),
  choices: [
    { id: 'on', label: { zh: '开', en: 'on' }, setting: { name: 'resize', value: true } },
    { id: 'off', label: { zh: '关', en: 'off' }, setting: { name: 'resize', value: false } },
  ],
}
