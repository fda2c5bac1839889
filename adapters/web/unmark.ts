// A text without the marks of Markdown, for one line of a list. It takes away only what stands in pairs or begins a line, so that 2**3 and a_b stay as
// they are: what a person wrote may be no Markdown.

const lineMarks = /^[ \t]{0,3}(?:#{1,6}|>)[ \t]+/gm
const pairs = [
  /(?<![\w*\u00c0-\u04ff])\*\*(?!\s)([^*\n]{1,200})\*\*/g,
  /~~(?!\s)([^~\n]{1,200})~~/g,
  /`([^`\n]{1,200})`/g,
]
const emphasis = /(?<![\w*./\\([\u00c0-\u04ff])\*(?![\s*./)\]])([^*\n]{1,200})\*(?![\w*\u00c0-\u04ff])/g
const link = /\[([^[\]\n]{1,200})\]\(https?:[^()\s]{1,500}\)/g

export function unmark(text: string): string {
  let shown = text.replaceAll(lineMarks, '')
  for (const marks of [...pairs, emphasis, link]) shown = shown.replaceAll(marks, '$1')
  return shown
}
