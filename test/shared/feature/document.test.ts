// A document as a message: nothing in it ends its block of code, and only a long one comes as a file.
import { expect, test } from 'vitest'
import { showDocument } from '#shared/feature/document.ts'

const named = { name: 'WORKING.md', caption: 'What is going on.' }

test('nothing in a document ends the block that it stands in', () => {
  expect(showDocument({ ...named, text: '# WORKING\n```\n- "````"' })).toEqual({
    kind: 'send',
    text: '`````markdown\n# WORKING\n```\n- "````"\n`````',
  })
})

test('a long one is a file too, and says which messages it repeats', () => {
  const text = `# WORKING\n${'x'.repeat(1800)}`
  expect(showDocument({ ...named, text, about: ['m1'] })).toEqual({
    kind: 'send',
    text: `\`\`\`markdown\n${text}\n\`\`\``,
    about: ['m1'],
    file: { ...named, text },
  })
})
