// Blocks of code between fences, line by line, as Markdown has them.

/** The fence that is open behind the line, where `open` was before it; empty when none is. */
export function fenceAfter(line: string, open: string): string {
  const [fence = '', info = ''] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line)?.slice(1) ?? []
  const isInline = fence.startsWith('`') && info.includes('`')
  if (open === '') return isInline ? '' : fence
  return fence.startsWith(open) && info.trim() === '' ? '' : open
}

/** What comes after a piece of code that was never closed would be read as code. */
export function closeFence(text: string): string {
  const open = text.split('\n').reduce((before, line) => fenceAfter(line, before), '')
  return open === '' ? text : `${text}\n${open}`
}
