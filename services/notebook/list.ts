// /notes: a list with a button for each note, and a note with a button that deletes it. Each is one card that goes with what it repeats. Whoever is here may read; a note is deleted by whom it was written for, in a group
// also by owners and administrators.
import { z } from 'zod'
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext } from '#shared/feature/feature.ts'
import { tellAsking } from '#shared/feature/kept.ts'
import { say } from '#shared/feature/say.ts'
import { findNote, type Change, type Note, type Notes } from './slice.ts'

type Effects = readonly StepEffect<Change>[]

const inRow = 5
const cardLivesMs = 86_400_000

export function list({ args, slice, language, principal }: CommandContext<Notes>): Effects {
  if (args.trim() === '') return toList(slice, { language, principal })
  const found = findNote(slice, args)
  return found ? toNote(found, language) : sayNone(language)
}

const sayNone = (language: Language): Effects =>
  say(language, '没有这条笔记。`/notes` 列出所有笔记。', 'There is no such note. `/notes` lists them all.')

function toList(
  { notes }: Notes,
  { language, principal }: { readonly language: Language; readonly principal: string },
): Effects {
  const isChinese = language === 'zh'
  if (notes.length === 0)
    return say(
      language,
      '这里没有笔记。跟我说“把这个记成笔记”就有了。',
      'There are no notes here. Ask me to make a note of something.',
    )
  const buttons = notes.map(({ id }) => ({ id: `r${id}`, label: isChinese ? `看 ${id}` : `Read ${id}` }))
  const rows = Array.from({ length: Math.ceil(buttons.length / inRow) }, (_, at) =>
    buttons.slice(at * inRow, (at + 1) * inRow),
  )
  return [
    tellAsking(
      notes.map(({ said }) => said),
      { question: 'list', options: rows, payload: '', topic: `notes ${principal}`, deadlineMs: cardLivesMs },
      (all) =>
        [isChinese ? '笔记：' : 'Notes:', ...all.map(({ title }, at) => `- ${notes[at]?.id}: ${title}`)].join('\n'),
    ),
  ]
}

function toNote(note: Note, language: Language): Effects {
  const isChinese = language === 'zh'
  return [
    tellAsking(
      [note.said],
      {
        question: 'note',
        options: [[{ id: 'delete', label: isChinese ? '删除' : 'Delete' }]],
        payload: JSON.stringify({ id: note.id, who: note.who }),
        owner: note.who,
        admins: true,
        topic: `note ${note.id}`,
        deadlineMs: cardLivesMs,
      },
      ([one]) => `${note.id}: ${one?.title}\n\n${one?.text}`,
    ),
  ]
}

/** A press on the list. */
export function answerList({ event, slice, language }: AnswerContext<Notes>): Effects {
  const found = findNote(slice, event.choice.slice(1))
  return found ? toNote(found, language) : sayNone(language)
}

const shown = z.object({ id: z.number(), who: z.string() })

/** A press under a note. */
export function answerNote({ event, slice, language }: AnswerContext<Notes>): Effects {
  const { id, who } = shown.parse(JSON.parse(event.payload))
  // Who wrote over it meanwhile is somebody else, and was not asked.
  const isThere = slice.notes.some((one) => one.id === id && one.who === who)
  const isChinese = language === 'zh'
  const said = isChinese
    ? `笔记 ${id} ${isThere ? '已删除。' : '已经不在了，或改过了。'}`
    : `Note ${id} ${isThere ? 'is deleted.' : 'is not there any more, or was written anew.'}`
  return [
    ...(isThere ? [{ kind: 'change', change: { drop: id } } as const] : []),
    { kind: 'send', text: said, inPlace: true },
  ]
}
