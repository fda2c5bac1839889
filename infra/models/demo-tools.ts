// The one tool of the offline demo model: it waits, so that joining, stopping and resuming can be shown without a network.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Tool } from '#shared/model/tool.ts'

export const demoWaitName = 'demo_wait'

const maxSeconds = 600
const input = z.object({ seconds: z.number().nonnegative() })

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
