// Notes of a conversation, which the model writes and reads and people list, read and delete with /notes. In a group they are the group's.
import type { Feature } from '#shared/feature/feature.ts'
import { answerList, answerNote, list } from './list.ts'
import { slice, type Change, type Notes } from './slice.ts'
import { tools } from './tools.ts'

export const notebook: Feature<Notes, Change> = {
  name: 'notebook',
  slice,
  tools,
  commands: [
    {
      name: 'notes',
      help: { zh: '看笔记：/notes，或 /notes 编号', en: 'the notes of this chat: /notes, or /notes and a number' },
      more: {
        zh: '`/notes` 列出这个聊天的笔记，`/notes 2` 显示第 2 条；用按钮删除。要记新的，直接说“记一条笔记：……”。',
        en: '`/notes` lists the notes of this chat, and `/notes 2` shows number 2; buttons delete them. Say “make a note of …” for a new one.',
      },
      readsOnly: true,
      run: async (context) => list(context),
    },
  ],
  questions: {
    list: { answer: async (context) => answerList(context) },
    note: { answer: async (context) => answerNote(context) },
  },
}
