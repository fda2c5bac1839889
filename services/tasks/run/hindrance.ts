// Why a task may not go on, whatever it does: who ordered it may not use the bot any more, or nothing can be said where it is at home. Looked at before each of
// its turns, and once a second while one runs.
import type { Localised } from '#shared/chat/message.ts'
import type { TaskDeps, Work } from './work.ts'

export type Hindrance = keyof typeof hindrances
export const hindrances = {
  asker: {
    zh: '提出它的人现在不能在这里使用我',
    en: 'the person who ordered it may not use me here now',
  },
  place: { zh: '当时不能在这里发消息', en: 'nothing could be sent here' },
} satisfies Readonly<Record<string, Localised>>

/** Undefined where nothing stands in its way. */
export async function findHindrance(
  { mayTalk, isClosed }: Pick<TaskDeps, 'mayTalk' | 'isClosed'>,
  { slice, conversation }: Pick<Work, 'slice' | 'conversation'>,
): Promise<Hindrance | undefined> {
  const server = slice.server === '' ? {} : { server: slice.server }
  if (!(await mayTalk({ principal: slice.asker, conversation, ...server }))) return 'asker'
  return (await isClosed(conversation)) ? 'place' : undefined
}
