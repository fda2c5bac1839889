// Finds the plan that a model's answer begins with, and which step of it a later one says to be at. Whatever a model writes is read
// in linear time, and of it so much as people can take in is kept, without markup.
import { withoutMadeUp } from '#services/executor/context/made-up.ts'

export type Plan = {
  /** What is to be done, the first so many. */
  readonly steps: readonly string[]
  /** How many steps it has in all. */
  readonly total: number
  /** What is written after it. */
  readonly rest: string
}

/** Of a text so much is looked at. */
const mostChars = 8000
const mostSteps = 10
const mostTotal = 99
const mostStepChars = 80
/** Before its head. */
const mostLinesBefore = 2
const mostLineBefore = 120

/** `计划：`, `**Plan:**`, `## Here is my plan`. */
const head = /^[#>*_\s]{0,8}[^\n：:]{0,24}(?:计划|步骤|plan|steps)[^\n：:]{0,12}(?:[：:]|$)[*_\s]{0,8}$/iu
/** `1. …`, `2) …`, `(3) …`, `步骤 4：…`, `Step 5: …`, `第6步：…`. */
const item =
  /^[>*_\s]{0,8}(?:[(（]?(\d{1,5})[.)、．）][*_]{0,3}|(?:步骤|step)\s{0,2}(\d{1,5})[*_]{0,3}\s?[：:.]|第\s?(\d{1,5})\s?步[*_]{0,3}\s?[：:、])\s{0,8}(\S.*)$/iu
/** What belongs to the step above it. */
const inner = /^(?: {2,}|\t)\S/

/**
 * A text whose lines up to `end` are a plan: its head, if it has one, and the steps that are numbered from 1 on. Before a head a few words may
 * stand.
 */
function scan(text: string): Scanned {
  const looked = text.slice(0, mostChars)
  const steps: string[] = []
  const inners: string[] = []
  let begun = false
  let before = 0
  let end = 0
  for (let at = 0; at < looked.length;) {
    const next = looked.indexOf('\n', at)
    const stop = next < 0 ? looked.length : next
    const line = looked.slice(at, stop).trimEnd()
    const [, ...found] = item.exec(line) ?? []
    const said = found.pop()
    const isNext = said !== undefined && Number(found.find(Boolean)) === steps.length + 1
    if (isNext && (begun || before === 0)) steps.push(said)
    else if (line !== '' && steps.length > 0 && inner.test(line))
      inners[steps.length - 1] = `${inners[steps.length - 1] ?? ''}\n${line}`
    else if (line !== '') {
      if (begun || steps.length > 0) break
      if (head.test(line)) begun = true
      else if (++before > mostLinesBefore || line.length > mostLineBefore) break
    }
    at = stop + 1
    if (line !== '') end = Math.min(at, text.length)
  }
  return { begun: begun || steps.length > 0, steps, inners, end }
}

/** `inners`: what belongs to each step, in its place. */
type Scanned = {
  readonly begun: boolean
  readonly steps: readonly string[]
  readonly inners: readonly (string | undefined)[]
  readonly end: number
}

/** The plan that an answer begins with; one step is none. */
export function readPlan(text: string): Plan | undefined {
  const { steps, end } = scan(text)
  if (steps.length < 2) return undefined
  const total = Math.min(steps.length, mostTotal)
  return { steps: steps.slice(0, mostSteps).map(toWords), total, rest: text.slice(end).trimStart() }
}

/** The steps of that plan as they are written, each with the lines that belong to it. */
export function readWholeSteps(text: string): readonly string[] {
  const { steps, inners } = scan(text)
  return steps.map((step, at) => `${step}${inners[at] ?? ''}`)
}

/** Of an answer that still grows: what is written after what may become a plan; undefined where none begins. */
export function findRest(text: string): string | undefined {
  const { begun, end } = scan(text)
  return begun ? text.slice(end).trimStart() : undefined
}

/** The last step that a text says to be at, by a line such as `[2/3 …]`, `步骤 2` or `Step 2`. */
export function findStep(text: string, total: number): number | undefined {
  const marks =
    /^[#>*_ \t-]{0,8}(?:\[(\d{1,2})\/(\d{1,2})[^\]\n]{0,90}\]|(?:步骤|step)\s{0,2}(\d{1,2})\b|第\s?(\d{1,2})\s?步)/gimu
  let at: number | undefined
  for (const [, step, of, named, counted] of text.slice(0, mostChars).matchAll(marks)) {
    const number = Number(step ?? named ?? counted)
    if (number >= 1 && number <= total && (of === undefined || Number(of) === total)) at = number
  }
  return at
}

/** The text without a plan at its head, and without the lines that only say which step it is at. */
export function withoutPlan(text: string): string {
  let left = readPlan(text)?.rest ?? text
  for (let n = 0; n < mostSteps; n++) {
    const mark =
      /^[*_\s]{0,8}\[\d{1,2}\/\d{1,2}[^\]\n]{0,90}\][*_ \t█░]{0,24}(?:完成|done)?[*_ \t✓]{0,8}(?:\n|$)/iu.exec(
        left.slice(0, 200),
      )
    if (!mark) break
    left = left.slice(mark[0].length)
  }
  return left === text ? text : left.trimStart()
}

/** Words alone: no sign of them is markup, none steers what shows them, and an address in them carries nothing. */
function toWords(step: string): string {
  const plain = withoutMadeUp(step.slice(0, 8 * mostStepChars), () => [])
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/[`*[\]<>|~\\]+/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/^(?:[#+=\s-]|\d{1,9}[.)])+/, '')
    .trim()
  return shorten(plain === '' ? '…' : plain, mostStepChars)
}

/** At most so many characters, none of them cut in two. */
export function shorten(text: string, most: number): string {
  const chars = [...text]
  return chars.length <= most
    ? text
    : `${chars
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
