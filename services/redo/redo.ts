// Who edits a message that was answered already is asked whether it is to be answered anew.
import { z } from 'zod'
import type { Localised } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { AnswerContext, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'

const asked: Localised = {
  zh: '你修改了一条我已经回答过的消息。',
  en: 'You edited a message that I had already answered.',
}
const label: Localised = { zh: '重新回答', en: 'Redo' }

const kept = z.object({ messageId: z.string(), text: z.string() })

/** The question keeps the new text, and whose it is. One is open for each message. */
export const redo: Feature = {
  name: 'redo',
  edited: ({ event, language }) => [
    {
      kind: 'ask',
      question: 'edited',
      text: asked[language],
      options: [[{ id: 'redo', label: label[language] }]],
      payload: JSON.stringify({ messageId: event.messageId, text: event.text }),
      topic: `redo ${event.messageId}`,
    },
  ],
  questions: {
    edited: { answer: redoEdited },
  },
}

async function redoEdited({ event, language, state }: AnswerContext): Promise<readonly Effect[]> {
  const { messageId, text } = kept.parse(JSON.parse(event.payload))
  if (state.isForgotten(messageId))
    return say(
      language,
      '那条消息已经按要求忘掉了，请再发一遍。',
      'That message was forgotten, as I was told to; please send it again.',
    )
  return [
    { kind: 'feedback', what: 'redo', on: { message: messageId } },
    { kind: 'turn', text, about: [messageId] },
  ]
}
