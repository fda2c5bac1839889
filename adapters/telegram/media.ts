// What came along with a message, as metadata only: nothing is downloaded.
import type { Media } from '#shared/chat/quotation.ts'
import type { TgMessage } from './updates.ts'

const fileKinds = ['document', 'voice', 'audio', 'video', 'video_note', 'animation', 'sticker'] as const
const thingKinds = ['contact', 'location', 'venue', 'poll', 'dice', 'story'] as const

type Carrier = Pick<TgMessage, 'photo' | (typeof fileKinds)[number] | (typeof thingKinds)[number]>

export function toMedia(one: Carrier): Media[] {
  const found: Media[] = []
  // A photo comes in several sizes, the largest last.
  const photo = one.photo?.at(-1)
  if (photo) found.push(describe('photo', photo))
  for (const kind of fileKinds) {
    const file = one[kind]
    // An animation is repeated as a document for old clients.
    if (file && !(kind === 'document' && one.animation)) found.push(describe(kind, file))
  }
  for (const kind of thingKinds) if (one[kind] !== undefined) found.push({ kind })
  return found
}

function describe(
  kind: string,
  file: { readonly file_name?: string | undefined; readonly file_size?: number | undefined },
): Media {
  return {
    kind,
    ...(file.file_name === undefined ? {} : { name: file.file_name.toWellFormed().slice(0, 200) }),
    ...(file.file_size === undefined ? {} : { bytes: file.file_size }),
  }
}
