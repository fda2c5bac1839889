// A skill in plain words: "When I ask for the weekly report: 1. … 2. …", or a first line that names it, and steps below. By rules alone.
import type { Localised } from '#shared/chat/message.ts'
import { skillBounds, type SkillStep } from '#shared/memory/skill.ts'
import { tellTooLong, tellTooMany, toPlain, toRead, type DraftRead, type Fault } from './draft.ts'
import { splitSteps } from './split-steps.ts'

const mostChars = 16_384

const whenEn =
  /^(?:when(?:ever)?|if|every time|each time|any time|as soon as|once|before|after)(?![a-z])[ \t]{1,5}(\S[^\n]{0,500})$/iu
const whenZh = /^(?:每当|每次|每逢|当|如果|要是|假如|遇到|碰到|一旦|只要)[ \t]{0,3}(\S[^\n]{0,500})$/u
/** 写周报的时候 */
const whenBehind = /^(\S[^\n]{0,500}?)(?:的时候|的时侯|之前|之后|的话)$/u
/** What asks for it, and says nothing of what it is about. */
const askedEn =
  /^(?:i|we|you|they|somebody|someone|a user|the user|users)(?:['’]m| am|['’]re| are)? (?:ask(?:s|ed)? (?:you |me )?(?:for|to|about)|want(?:s|ed)?(?: you)?(?: to)?|need(?:s|ed)?(?: you)?(?: to)?|(?:say|tell|have|get|has|gets)(?: you)?(?: to)?)[ \t]{1,3}/iu
const ends = /[ \t]{0,5}[:：,，;；。.!！-]{1,3}$/u
const hanEnds = /(?:的时候|的时侯|时候|时|的话)$/u

export function readPlainSkill(text: string): DraftRead {
  if (text.length > mostChars) return tell({ text: tellTooLong(words.whole, text.length, mostChars) })
  const said = text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n').trim()
  const split = splitSteps(said)
  if (!split) return tell({ text: words.noSteps })
  const faults: Fault[] = []
  const head = readHead(split.head, faults)
  if (split.steps.length > skillBounds.steps)
    faults.push({ text: tellTooMany(words.steps, split.steps.length, skillBounds.steps) })
  const steps = split.steps.slice(0, skillBounds.steps).map((step, nth) => readStep(step, nth + 1, faults))
  return toRead({ ...head, steps }, faults)
}

const tell = (fault: Fault): DraftRead => ({ kind: 'faults', faults: [fault] })

type Head = { readonly name: string; readonly description: string; readonly triggers: readonly string[] }

/** Lines that say when, and others: the first names it, the rest describes it. */
function readHead(text: string, faults: Fault[]): Head {
  const lines = text
    .split('\n')
    .map((line) => toPlain(line.replace(/^#{1,6} /, '')).replace(ends, ''))
    .filter((line) => line !== '' && !/^(?:steps|步骤|流程|做法)$/iu.test(line))
  const whens = lines.map(readWhen)
  const found = whens.filter((one) => one !== undefined)
  const others = lines.filter((_, nth) => whens[nth] === undefined)
  const name = others[0] ?? found[0] ?? ''
  if (name === '') faults.push({ text: words.noName })
  // Who says when and nothing else names it by that.
  const shown = others.length > 0 ? name : name.slice(0, skillBounds.name).toWellFormed()
  const triggers = found.length > 0 ? found : [name]
  bound(words.name, shown, skillBounds.name, faults)
  for (const trigger of found) bound(words.trigger, trigger, skillBounds.trigger, faults)
  if (triggers.length > skillBounds.triggers)
    faults.push({ text: tellTooMany(words.triggers, triggers.length, skillBounds.triggers) })
  const description = others.slice(1).join(' ') || shown
  bound(words.description, description, skillBounds.description, faults)
  return { name: shown, description, triggers }
}

function bound(what: Localised, { length }: string, most: number, faults: Fault[]): void {
  if (length > most) faults.push({ text: tellTooLong(what, length, most) })
}

/** What the line says when; undefined where it says something else. */
function readWhen(line: string): string | undefined {
  const en = whenEn.exec(line)?.[1]
  if (en !== undefined) return en.replace(askedEn, '') || en
  const zh = whenZh.exec(line)?.[1] ?? whenBehind.exec(line)?.[1]
  if (zh === undefined) return undefined
  const bare = zh
    .replace(hanEnds, '')
    .replace(/^(?:我们?|大家|有人|用户)(?:让你|叫你|要你|要求|想要|需要|要|想|请你)?/u, '')
  return bare || zh
}

function readStep(step: string, nth: number, faults: Fault[]): SkillStep {
  const [first = '', ...rest] = step.split('\n').map((line) => toPlain(line.replace(/^[ \t]{0,10}[-*•·–] /, '')))
  const action = first
  const details = rest.filter((line) => line !== '').join('; ')
  const what = { zh: `第 ${nth} 步`, en: `Step ${nth}` }
  if (action === '') faults.push({ text: { zh: `${what.zh}是空的。`, en: `${what.en} is empty.` } })
  bound(what, action, skillBounds.action, faults)
  bound({ zh: `${what.zh}的说明`, en: `What step ${nth} says further` }, details, skillBounds.details, faults)
  return { action, ...(details === '' ? {} : { details }) }
}

const words = {
  whole: { zh: '这段文字', en: 'The text' },
  noSteps: {
    zh: '没有读到步骤。请写成“1. … 2. … 3. …”，或每步一行、以“- ”开头。',
    en: 'I found no steps. Write them as “1. … 2. … 3. …”, or each in a line that begins with “- ”.',
  },
  noName: {
    zh: '步骤前面请写它叫什么，或什么时候用：“当……时：”。',
    en: 'Say before the steps what it is called, or when it is for: “When …:”.',
  },
  name: { zh: '名称', en: 'The name' },
  trigger: { zh: '触发条件', en: 'The condition' },
  triggers: { zh: '触发条件', en: 'conditions' },
  description: { zh: '说明', en: 'The description' },
  steps: { zh: '步骤', en: 'steps' },
} as const
