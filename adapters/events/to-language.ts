// The language of a person's client, as its platform tells it.
import type { Language } from '#shared/chat/message.ts'

/** `tag`: such as `zh-Hans` or `en-GB`. */
export function toLanguage(tag: string): Language {
  return tag.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}
