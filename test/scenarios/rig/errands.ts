// A feature whose tools do their work at the world's end (`world.ts`), which counts what is done and by which key: one that reads, one that
// writes by its key, one that is not made again after a crash, and one that asks the person and suspends the turn.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'

const errand = z.object({ what: z.string() })
const answered = z.object({ text: z.string() })
const parameters = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] }

/** Without `keepsKeys` each run of a call has a key of its own: a mutant, which the comparison has to notice. */
export function createErrands(world: string, { keepsKeys }: { readonly keepsKeys: boolean }): Feature {
  const run =
    (tool: string): Tool['run'] =>
    async (input, context, signal) => ({
      text: await make(world, { tool, what: errand.parse(input).what, key: toKey(context) }, signal),
      source: tool === 'look' ? 'others' : 'own',
    })
  const toKey = ({ idempotencyKey }: ToolContext): string =>
    keepsKeys ? idempotencyKey : `${idempotencyKey}/${randomUUID()}`
  const tool = (name: string, more: Pick<Tool, 'effect' | 'onCrash'>): Tool => ({
    name,
    description: `Makes the errand ${name}.`,
    parameters,
    run: run(name),
    ...more,
  })
  return {
    name: 'errands',
    tools: [
      tool('look', { effect: 'read', onCrash: 'rerun' }),
      tool('order', { effect: 'write', onCrash: 'rerun-with-key' }),
      tool('pay', { effect: 'write', onCrash: 'ask' }),
      {
        name: 'inquire',
        description: 'Asks the person.',
        parameters,
        effect: 'ask',
        onCrash: 'rerun',
        run: async (input) => inquire(errand.parse(input).what),
      },
    ],
    questions: {
      inquiry: {
        answer: async ({ event, about }) =>
          event.choice === 'yes'
            ? [{ kind: 'turn', text: `They agreed: ${event.payload}`, about }]
            : [{ kind: 'send', text: `Left undone: ${event.payload}` }],
        expired: async ({ event }) => [{ kind: 'send', text: `Nobody said (${event.why}).`, inPlace: true }],
      },
    },
  }
}

function inquire(what: string): ToolResult {
  const options = [
    [
      { id: 'yes', label: 'Agree' },
      { id: 'no', label: 'Refuse' },
    ],
  ]
  return {
    text: 'asked',
    source: 'own',
    ends: 'suspended',
    effects: [{ kind: 'ask', question: 'inquiry', text: `May I: ${what}?`, options, payload: what }],
  }
}

type Call = { readonly tool: string; readonly what: string; readonly key: string }

async function make(world: string, call: Call, signal: AbortSignal): Promise<string> {
  const reply = await fetch(`${world}/errand`, { method: 'POST', body: JSON.stringify(call), signal })
  // In our own words, so that what is written after it asks nobody.
  if (!reply.ok) throw new BotError('platform', 'the errand cannot be made: closed today.')
  return answered.parse(await reply.json()).text
}
