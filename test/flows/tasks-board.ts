// What tools of a test change outside, beside the bot: a note on a board, which can be taken back, and a mail, which cannot.
import { z } from 'zod'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'

export type Board = {
  /** What is outside now, the oldest first. */
  readonly posted: () => readonly string[]
  /** Each change ever made, in its order: a call that was made twice stands here twice. */
  readonly made: readonly string[]
  readonly feature: Feature
}

const given = z.object({ id: z.string(), text: z.string().default('') })
const parameters = { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } }

export function createBoard(): Board {
  const posted = new Map<string, string>()
  const made: string[] = []
  const tool = (name: string, run: (id: string, text: string) => string, undo?: Tool['undo']): Tool => ({
    name,
    description: `Does ${name}.`,
    parameters,
    effect: 'write',
    onCrash: 'rerun-with-key',
    brief: (input) => given.parse(input).id,
    ...(undo ? { undo } : {}),
    async run(input) {
      const { id, text } = given.parse(input)
      made.push(`${name} ${id}`)
      return { text: run(id, text), source: 'own' }
    },
  })
  const post = (id: string, text: string): string => {
    posted.set(id, text)
    return `posted ${id}`
  }
  const remove = (id: string): string => {
    posted.delete(id)
    return 'removed'
  }
  const tools = [
    tool('post_note', post, (input) => ({ tool: 'remove_note', input: { id: given.parse(input).id } })),
    tool('send_mail', post),
    tool('remove_note', remove),
  ]
  return { posted: () => [...posted.keys()], made, feature: { name: 'board', tools } }
}
