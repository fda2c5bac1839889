// A time at the end of a text: "call mom tomorrow at 9", 给妈妈打电话 明天9点. It has to reach the end, and what stands before it is the text. Each place
// where a word begins is tried once, and the text is short, so that it takes time in proportion to it.
import { findAt, sticky } from './piece.ts'

const start = /(?<=[\s,，。;；])[^\s,，。;；]|(?<=[\u4e00-\u9fff])[\u4e00-\u9fff\d]|(?<=[\u4e00-\u9fff])[a-z0-9]/giu
const ending = sticky('[ ,，.。!！~]*$')
/** Behind such a word the time belongs to the text: the plan for tomorrow, 明天的. */
const dangling =
  /(?:^|[^a-z])(?:for|of|about|until|till|before|after|by|from|since|between|to|than|and|or|not)$|[到从和或的之把比跟与前后]$/iu
const around = /^[\s,，:：;；]+|[\s,，:：;；]+$/gu
const asking = /^(?:(?:to|that) |(?:记得|要)(?=.))/iu

export type Ending<T> = { readonly found: T; readonly text: string }

/**
 * The first time that reaches the end. `whole` and `text` are as long as one another, the latter with plain signs; `read` gives what stands at a place
 * and how far it reaches.
 */
export function findEnding<T>(
  whole: string,
  text: string,
  from: number,
  read: (at: number) => { readonly found: T; readonly at: number } | undefined,
): Ending<T> | undefined {
  for (const { index } of text.matchAll(start)) {
    if (index <= from) continue
    const reading = read(index)
    if (!reading || !findAt(ending, text, reading.at)) continue
    const before = whole.slice(from, index).replaceAll(around, '').replace(asking, '')
    return before === '' || dangling.test(before) ? undefined : { found: reading.found, text: before }
  }
  return undefined
}
