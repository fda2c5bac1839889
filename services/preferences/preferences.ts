// Language and depth of a conversation and how it wants to be answered, as its people set them.
import { storable } from '#shared/feature/slice.ts'
import { z } from 'zod'
import { depths, type Depth } from '#shared/chat/decision.ts'
import { languages, type Language, type Localised } from '#shared/chat/message.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Setting } from '#shared/feature/setting.ts'
import { wishes, wishPart, wishSettings } from './wishes.ts'

/** Left out: each message says it. */
const own = z.object({ language: z.enum(languages).optional(), depth: z.enum(depths).optional(), ...wishes })
type Own = z.infer<typeof own>
type Change = { readonly [Name in keyof Own]?: Own[Name] | undefined }

/** `language`: that of chats in which nobody set one. */
export function createPreferences(language: Language | undefined): Feature<Own, Change> {
  return {
    name: 'preferences',
    slice: {
      schema: storable(own),
      fresh: { language },
      fold: (slice, change) => ({ ...slice, ...change }),
      atRest: (slice) => slice,
    },
    settings: allSettings,
    context: [wishPart],
    prefers: ({ language: spoken, depth }) => ({ language: spoken, depth }),
  }
}

const same = (text: string): Localised => ({ zh: text, en: text })
const automatic: Localised = { zh: '自动', en: 'automatic' }
const depthNames: Readonly<Record<Depth, Localised>> = {
  light: { zh: '轻度', en: 'light' },
  standard: { zh: '标准', en: 'standard' },
  deep: { zh: '深入', en: 'deep' },
}

const languageSetting: Setting<Own, Change> = {
  id: 'language',
  label: { zh: '语言', en: 'Language' },
  holds: ({ slice }) => slice.language ?? 'auto',
  choices: [
    { id: 'zh', label: same('中文'), change: { language: 'zh' }, language: 'zh' },
    { id: 'en', label: same('English'), change: { language: 'en' }, language: 'en' },
    { id: 'auto', label: automatic, change: { language: undefined } },
  ],
  command: { name: 'lang', help: { zh: '语言：zh、en 或 auto', en: 'language: zh, en or auto' } },
}

const depthSetting: Setting<Own, Change> = {
  id: 'depth',
  label: { zh: '默认深度', en: 'Default depth' },
  entry: { section: 'Routing', key: 'defaultDepth' },
  holds: ({ slice }) => slice.depth ?? 'auto',
  choices: [
    ...depths.map((depth) => ({ id: depth, label: depthNames[depth], change: { depth } })),
    { id: 'auto', label: automatic, change: { depth: undefined } },
  ],
  command: {
    name: 'depth',
    help: { zh: '默认深度：轻度、标准、深入或自动', en: 'default depth: light, standard, deep or automatic' },
  },
}

const allSettings = [languageSetting, depthSetting, ...wishSettings]

export const preferencesCapability: Capability<{ readonly usual: { readonly language: Language | undefined } }> = {
  settings: allSettings,
  create: ({ usual }) => createPreferences(usual.language),
}
