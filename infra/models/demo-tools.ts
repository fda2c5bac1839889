// The tools of the offline demo model: one waits, so that joining, stopping and resuming can be shown without a network; two are a notice board in
// this process' memory, so that an approval can be shown. What stands on the board others may have written, so that what is put there after it was
// read is approved by a person first.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Tool } from '#shared/model/tool.ts'

export const demoWaitName = 'demo_wait'
export const boardReadName = 'demo_board_read'
export const boardPostName = 'demo_board_post'

const maxSeconds = 600
const input = z.object({ seconds: z.number().nonnegative() })
const note = z.object({ text: z.string().trim().min(1).max(200) })
const mostNotes = 20

export const demoTools = (): readonly Tool[] => [demoWaitTool(), ...boardTools()]

/** Waits at most ten minutes; an abort rejects with the signal's reason. */
export function demoWaitTool(): Tool {
  return {
    name: demoWaitName,
    summary: { zh: '等几秒再返回，用于演示。', en: 'Waits some seconds and returns, for demonstrations.' },
    description: `Waits a number of seconds (at most ${maxSeconds}) and returns. For demonstrations.`,
    parameters: {
      type: 'object',
      properties: { seconds: { type: 'number', minimum: 0, maximum: maxSeconds } },
      required: ['seconds'],
      additionalProperties: false,
    },
    effect: 'read',
    onCrash: 'rerun',
    async run(raw, _context, signal) {
      const parsed = input.safeParse(raw)
      if (!parsed.success) throw new Error('demo_wait needs {"seconds": number}, a number from 0 to 600.')
      const seconds = Math.min(parsed.data.seconds, maxSeconds)
      signal.throwIfAborted()
      await sleep(seconds * 1000, undefined, { signal })
      return { text: `waited ${seconds} s`, source: 'own' }
    },
  }
}

function boardTools(): readonly Tool[] {
  /** By the key of the call that put it there, so that a call that is made again puts it there once. */
  const notes = new Map<string, string>([['', 'Welcome! Whoever passes by may leave a greeting.']])
  return [
    {
      name: boardReadName,
      summary: { zh: '读演示用的留言板。', en: 'Reads the notice board of the demonstration.' },
      description: 'Reads a notice board on which anybody may write. For demonstrations.',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      effect: 'read',
      onCrash: 'rerun',
      run: async () => ({ text: [...notes.values()].join('\n'), source: 'others' }),
    },
    {
      name: boardPostName,
      summary: { zh: '在演示用的留言板上留言。', en: 'Puts a note on the notice board of the demonstration.' },
      description: 'Puts a note on a notice board on which anybody may write. For demonstrations.',
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', maxLength: 200 } },
        required: ['text'],
        additionalProperties: false,
      },
      effect: 'write',
      onCrash: 'rerun-with-key',
      async run(raw, { idempotencyKey }) {
        const { text } = note.parse(raw)
        notes.set(idempotencyKey, text)
        for (const key of [...notes.keys()].slice(1, -mostNotes)) notes.delete(key)
        return { text: `On the board now: ${text}`, source: 'own' }
      },
    },
  ]
}
