// Who edits a message that was answered already is asked whether it is to be answered anew.
import type { Localised } from '#shared/chat/message.ts'
import type { Feature } from '#shared/feature/feature.ts'

const asked: Localised = {
  zh: '你修改了一条我已经回答过的消息。',
  en: 'You edited a message that I had already answered.',
}
const label: Localised = { zh: '重新回答', en: 'Redo' }

/** The question keeps the new text. One is open for each message. */
export const redo: Feature = {
  name: 'redo',
  edited: ({ event, language }) => [
    {
      kind: 'ask',
      question: 'edited',
      text: asked[language],
      options: [[{ id: 'redo', label: label[language] }]],
      payload: event.text,
      topic: `redo ${event.messageId}`,
    },
  ],
  questions: {
    edited: { formerly: 'redo', answer: async ({ event }) => [{ kind: 'turn', text: event.payload }] },
  },
}
