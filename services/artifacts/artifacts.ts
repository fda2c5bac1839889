// The tool `artifact_read`: pages through a text that is kept whole beside the conversation, of which the prompt holds a part. What it gives is as
// much others' words as what was kept, and goes with the messages that this is about.
import { z } from 'zod'
import type { Feature } from '#shared/feature/feature.ts'
import { peek, retell } from '#shared/feature/kept.ts'
import type { ToolContext, ToolResult } from '#shared/model/tool.ts'

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
  const wanted = name.trim()
  const found = await context.findArtifact(wanted)
  if (!found) return { text: 'There is no such text, or it is kept no more.', source: 'own' }
  const pages = peek([found], ([text = '']) => toPages(text).length)
  if (page > pages) return { text: `It has ${pages} pages.`, source: 'own' }
  const more = page < pages ? `, page ${page + 1} goes on` : ''
  const head = `[page ${page} of ${pages}${more}]`
  return {
    text: retell([found], context, ([text = '']) => `${head}\n${toPages(text)[page - 1] ?? ''}`),
    artifact: wanted,
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
