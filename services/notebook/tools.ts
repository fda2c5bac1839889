// The notes as tools of the model. What one holds is read as whose words it is: those of whoever it was written for, or of others.
import { z } from 'zod'
import { retell, toOurs } from '#shared/feature/kept.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { findFull, findNote, findSame, mostTextChars, mostTitleChars, type Change, type Notes } from './slice.ts'

const title = z.string().trim().min(1).max(mostTitleChars)
const written = z.object({ title, text: z.string().trim().min(1).max(mostTextChars) })
const read = z.object({ title: z.union([z.string().max(200), z.number().transform(String)]) })

type Said = { readonly title: string; readonly text: string }

const titleShown = { type: 'string', maxLength: mostTitleChars }

export const tools: readonly Tool<Notes, Change>[] = [
  {
    name: 'note_write',
    summary: { zh: '给这个对话记一条笔记。', en: 'Keeps a note for this conversation.' },
    description: 'Keeps a note for this conversation. The same title replaces the note.',
    parameters: {
      type: 'object',
      properties: { title: titleShown, text: { type: 'string', maxLength: mostTextChars } },
      required: ['title', 'text'],
    },
    effect: 'write-local',
    onCrash: 'rerun',
    listing: 'rare',
    run: async (input, context) => write(input, context),
  },
  {
    name: 'note_list',
    summary: { zh: '列出这个对话的笔记标题。', en: 'Lists the titles of the notes of this conversation.' },
    description: 'Lists the titles of the notes of this conversation.',
    parameters: { type: 'object', properties: {} },
    effect: 'read',
    onCrash: 'rerun',
    listing: 'rare',
    run: async (_, context) => {
      const { notes } = context.slice
      if (notes.length === 0) return { text: 'There are no notes in this conversation.', source: 'own' }
      const toLine = ({ title: named, text }: Said, at: number): string =>
        `${notes[at]?.id}: ${named} (${text.length} characters)`
      const all = notes.map(({ said }) => said)
      return { text: retell(all, context, (values) => values.map(toLine).join('\n')) }
    },
  },
  {
    name: 'note_read',
    summary: { zh: '读一条笔记。', en: 'Reads a note.' },
    description: 'Reads one note by its title or number.',
    parameters: { type: 'object', properties: { title: titleShown }, required: ['title'] },
    effect: 'read',
    onCrash: 'rerun',
    listing: 'rare',
    run: async (input, context) => {
      const found = findNote(context.slice, read.parse(input).title)
      if (!found) throw new Error('there is no such note. note_list has the titles.')
      return { text: retell([found.said], context, ([one]) => `${one?.title}\n\n${one?.text}`) }
    },
  },
]

function write(input: unknown, { slice, principal, keep }: ToolContext<Notes>): ToolResult<Change> {
  const asked = written.parse(input)
  // A title stands on one line.
  const said = { title: asked.title.replaceAll(/\s+/g, ' '), text: asked.text }
  const note = { who: toOurs(principal), said: keep(said) }
  const why = findFull(slice, note)
  if (why !== undefined)
    throw new Error(
      `nothing is written: ${why}. Write less, write over another note, or tell the person that /notes deletes them.`,
    )
  const isNew = findSame(slice, note) === undefined
  return {
    text: isNew ? 'The note is written.' : 'The note is written over the one of this title.',
    source: 'own',
    effects: [{ kind: 'change', change: { write: note } }],
  }
}
