// One sentence in the person's language, as an effect.
import type { Effect } from '#shared/feature.ts'
import type { Language } from '#shared/chat/message.ts'

export const say = (language: Language, zh: string, en: string): readonly Effect[] => [
  { kind: 'send', text: language === 'zh' ? zh : en },
]
