// The tool by which the model proposes what may be worth keeping. It waits unconfirmed, as what rules notice does, until its person says yes. A turn that
// has read what others wrote proposes nothing: a page could plant it.
import { z } from 'zod'
import { memoryKinds, mostRecordChars, ofPerson } from '#shared/memory/record.ts'
import type { Tool } from '#shared/model/tool.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { isPaused } from './pause.ts'
import type { MemoryDeps } from './ports.ts'
import { findRefusal } from './refuse.ts'
import { onOneLine } from './words.ts'

const kinds = memoryKinds.filter((kind) => kind !== 'note' && kind !== 'skill')
const input = z.object({ content: z.string().trim().min(1).max(mostRecordChars), kind: z.enum(kinds) })

export const createSuggestTool = ({
  memory,
  now,
  findChoice,
}: Pick<MemoryDeps, 'memory' | 'now' | 'findChoice'>): Tool => ({
  name: 'memory_suggest',
  summary: { zh: '提议记住一件事，由本人确认。', en: 'Proposes something to be kept, which its person confirms.' },
  description:
    'Proposes something that the person said of themselves and that is worth keeping beyond this session. It is kept once they confirm it. Do not say that it is kept.',
  parameters: {
    type: 'object',
    properties: {
      content: { type: 'string', maxLength: mostRecordChars, description: 'One statement, in the person’s words.' },
      kind: { type: 'string', enum: [...kinds] },
    },
    required: ['content', 'kind'],
    additionalProperties: false,
  },
  effect: 'write-local',
  onCrash: 'rerun',
  listing: 'rare',
  async run(given, { principal, conversation, about, taint, isPrivate, idempotencyKey, group }) {
    const { content, kind } = input.parse(given)
    if (isPrivate || taint.length > 0)
      throw new Error('nothing is proposed: this turn works on what others wrote, or on what was said in private.')
    if (await isPaused({ findChoice }, { principal, conversation }))
      throw new Error('nothing is proposed: the person wants nothing noticed now.')
    const text = onOneLine(content).toWellFormed()
    if (findRefusal(text, { group })) throw new Error('nothing is proposed: such things are never kept.')
    const written = await memory.write(ofPerson(principal), {
      id: toEventId('tool', conversation, idempotencyKey),
      kind,
      speaker: principal,
      text,
      saidAt: now(),
      status: 'unconfirmed',
      origin: 'tool',
      from: [{ conversation, messages: [...about] }],
    })
    const isKnown = written.kind === 'repeat'
    if (written.kind === 'full' || written.kind === 'gone') throw new Error('there is no room for it.')
    return { text: isKnown ? 'That is kept already.' : 'It waits for the person’s yes.', source: 'own' }
  },
})
