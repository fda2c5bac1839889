// Long texts in prompts and cards: their middle is left out.
/** The beginning and the end of a text that is longer than so many characters, with a line between that says so. */
export function cutMiddle(text: string, chars: number): string {
  if (text.length <= chars) return text
  const half = Math.floor(chars / 2)
  return `${text.slice(0, half).toWellFormed()}\n[… ${text.length - 2 * half} …]\n${text.slice(-half).toWellFormed()}`
}
