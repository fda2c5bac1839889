// One sentence in the person's language, as an effect.
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from './effect.ts'

export const say = (language: Language, zh: string, en: string): readonly StepEffect<never>[] => [
  { kind: 'send', text: language === 'zh' ? zh : en },
]
