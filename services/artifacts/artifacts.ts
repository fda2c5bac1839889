// The tool `artifact_read`: pages through a text that is kept whole beside the conversation, of which the prompt holds a part. What it gives is as
// much others' words as what was kept, and goes with the messages that this is about.
import { z } from 'zod'
import type { Feature } from '#shared/feature/feature.ts'
import { joinTaint } from '#shared/model/taint.ts'
import type { ToolContext, ToolResult } from '#shared/model/tool.ts'
import type { KeptArtifact } from '#shared/run/artifact.ts'

/** Short enough that no page is cut again. */
const pageChars = 3500

const asked = z.object({ name: z.string().max(100), page: z.number().int().min(1).max(1000).optional() })

export const artifacts: Feature = {
  name: 'artifacts',
  tools: [
    {
      name: 'artifact_read',
      summary: { zh: '接着读一篇只给出一部分的长文。', en: 'Reads on in a long text of which only a part was given.' },
      description: 'Reads on in a long text of which only a part was given.',
      parameters: {
        type: 'object',
        properties: { name: { type: 'string' }, page: { type: 'integer', description: 'from 1' } },
        required: ['name'],
      },
      effect: 'read',
      listing: 'rare',
      onCrash: 'rerun',
      run: read,
    },
  ],
}

async function read(input: unknown, context: ToolContext): Promise<ToolResult> {
  const { name, page = 1 } = asked.parse(input)
  const found = await context.findArtifact(name.trim())
  if (!found) return { text: 'There is no such text, or it is kept no more.', source: 'own' }
  const pages = toPages(found.text)
  const text = pages[page - 1]
  if (text === undefined) return { text: `It has ${pages.length} pages.`, source: 'own' }
  const more = page < pages.length ? `, page ${page + 1} goes on` : ''
  return { ...whoseWords(found, context), text: `[page ${page} of ${pages.length}${more}]\n${text}` }
}

/** What one member of a group wrote is another's words for everybody else. */
function whoseWords(
  { name, source, by, taint, about }: KeptArtifact,
  { principal }: ToolContext,
): Omit<ToolResult, 'text'> {
  const isOthers = source === 'person' && by !== principal
  return {
    source: isOthers ? 'others' : source,
    taint: isOthers ? joinTaint(['another member'], taint) : taint,
    about,
    artifact: name,
  }
}

/** Each ends with a line where one ends in its last third. */
function toPages(text: string): readonly string[] {
  const pages: string[] = []
  for (let at = 0; at < text.length;) {
    const line = text.lastIndexOf('\n', at + pageChars)
    let end = line > at + (pageChars * 2) / 3 ? line + 1 : at + pageChars
    // Not within a sign of two halves.
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '') && end < text.length) end -= 1
    pages.push(text.slice(at, end))
    at = end
  }
  return pages
}
