// Parts a text into what stands before its steps and the steps: lines or places with 1. 2. 3., or lines with dashes. Pure, and linear in the text.

export type Split = {
  readonly head: string
  /** Each as it was written, without its number or dash; further lines of it follow. */
  readonly steps: readonly string[]
}

const mostSteps = 60
/** A number that begins a step: at the head of a line, or behind a blank or a sign that ends something. */
const numbered =
  /(^|\n|[\s,，;；。.!！:：])[ \t]{0,10}(?:(?:step|步骤)[ \t]{0,2}(\d{1,2})[ \t]{0,2}[.)、．:：）-]?|第([一二三四五六七八九十]{1,3}|\d{1,2})步[ \t]{0,2}[,，:：、.]?|[(（](\d{1,2})[)）]|(\d{1,2})(?:[)、）．]|\.(?!\d)|[ \t]?[:：](?!\d)))[ \t]{0,10}|([①-⑳])[ \t]{0,10}|（(\d{1,2})）[ \t]{0,10}|(?:^|\n)[ \t]{0,10}([一二三四五六七八九十]{1,3})、[ \t]{0,10}/giu
const dash = /^[ \t]{0,10}[-*•·–][ \t]{1,10}(?=\S)/

/** Undefined where there are none. */
export const splitSteps = (text: string): Split | undefined => splitNumbered(text) ?? splitDashed(text)

type Mark = { readonly from: number; readonly to: number }

/** Numbers count from 1, one by one: whatever else looks like a number of a step stands in a step. */
function splitNumbered(text: string): Split | undefined {
  const marks: Mark[] = []
  for (const found of text.matchAll(numbered)) {
    if (toNumber(found) !== marks.length + 1) continue
    // What stands before the mark belongs to the step before.
    const lead = found[1] ?? ''
    marks.push({ from: found.index + lead.length, to: found.index + found[0].length })
    if (marks.length === mostSteps) break
  }
  const [first] = marks
  if (!first) return undefined
  // One number alone within a sentence is none of a step.
  if (marks.length === 1 && !isLineStart(text, first.from)) return undefined
  const steps = marks.map(({ to }, nth) => text.slice(to, marks[nth + 1]?.from ?? text.length))
  return { head: text.slice(0, first.from), steps: steps.map(trimEnd) }
}

const isLineStart = (text: string, at: number): boolean => /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 20), at))

function toNumber([, , word, han, bracket, plain, circle, wide, hanLine]: RegExpExecArray): number {
  const digits = word ?? bracket ?? plain ?? wide ?? (han !== undefined && /^\d/.test(han) ? han : undefined)
  if (digits !== undefined) return Number(digits)
  if (circle !== undefined) return circle.charCodeAt(0) - '①'.charCodeAt(0) + 1
  return toHanNumber(han ?? hanLine ?? '')
}

const hanDigits = '零一二三四五六七八九'

function toHanNumber(text: string): number {
  const [tens = '', ones = ''] = text.includes('十') ? text.split('十', 2) : ['', text]
  const ten = text.includes('十') ? 10 * (tens === '' ? 1 : hanDigits.indexOf(tens)) : 0
  return ten + (ones === '' ? 0 : hanDigits.indexOf(ones))
}

function splitDashed(text: string): Split | undefined {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => dash.test(line))
  if (first < 0) return undefined
  const steps: string[][] = []
  for (const line of lines.slice(first)) {
    if (dash.test(line)) steps.push([line.replace(dash, '')])
    else steps.at(-1)?.push(line)
  }
  const all = steps.slice(0, mostSteps).map((step) => trimEnd(step.join('\n')))
  return { head: lines.slice(0, first).join('\n'), steps: all }
}

/** Signs that only part one step from the next. */
const trimEnd = (step: string): string =>
  step
    .trim()
    .replace(/[;；,，、]{1,3}$/u, '')
    .trim()
