// The notice for a message of which nothing can be read: it says what came, where that is known.
import type { Media } from '#shared/chat/quotation.ts'
import type { Language } from '#shared/chat/message.ts'
import { texts } from '#services/executor/run/texts.ts'
import words from './media-words.json' with { type: 'json' }

const named: ReadonlyMap<string, Readonly<Record<Language, string>>> = new Map(Object.entries(words))
/** They are opened, not read. */
const files: ReadonlySet<string> = new Set(
  'photo image document voice audio video video_note voice_note animation'.split(' '),
)

export function toMediaNotice(media: readonly Media[], language: Language): string {
  if (media.some(({ kind }) => files.has(kind))) return texts.mediaOnly[language]
  const kinds = [...new Set(media.map(({ kind }) => kind))]
  const [what] = kinds.map((kind) => named.get(kind)?.[language])
  if (what === undefined || kinds.length > 1) return texts.unreadable[language]
  return texts.mediaNamed[language].replace('{what}', () => what)
}
