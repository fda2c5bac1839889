// /teach: a person teaches a procedure, as YAML or in plain words. What was understood is shown as a card, and kept once they say so. It is made of what they
// wrote themselves in that message, and of nothing that others wrote.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { mayChange } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { memoryScope } from '#shared/memory/record.ts'
import { toWords, type Draft, type Fault } from '#services/memory/skills/draft.ts'
import { readPlainSkill } from '#services/memory/skills/read-plain-skill.ts'
import { isYaml, readYamlSkill } from '#services/memory/skills/read-yaml-skill.ts'
import { toDraftYaml } from '#services/memory/skills/to-yaml.ts'
import { toPlace } from './place.ts'
import { findRefusal } from './refuse.ts'
import { refusals } from './refusal-words.ts'
import { draftSchema, findBefore, keepSkill, showDraft, toBlock, type SkillDeps } from './skill-record.ts'
import { cameOf } from './words.ts'

type Effects = readonly StepEffect<never>[]

export const teachCommand: CommandInfo = {
  name: 'teach',
  help: { zh: '教我一个流程：/teach 当……时：1. … 2. …', en: 'teach me a procedure: /teach When …: 1. … 2. …' },
  more: {
    zh: '`/teach 当我要周报时：1. 收集数据 2. 写草稿` 教一个流程；也可以第一行写名称、下面每步一行，或者写成 YAML。直接说“记住这个流程：……”也可以。先给你看，你点“记住”才记。群里教的归这个群，只有主人和管理员可以教。请求与触发条件相近时，我就按它的步骤做；它不改变任何权限和确认。`/skills` 列出学会的。',
    en: '`/teach When I ask for the weekly report: 1. collect the figures 2. write a draft` teaches a procedure. A first line as its name with a line for each step does the same, and so does YAML, or “remember this procedure: …”. I show what I understood, and keep it once you press Keep. In a group it is the group’s, and owners and admins teach it. When a request is like its conditions, I follow its steps; rights and confirmations stay as they are. `/skills` lists what I learned.',
  },
  admins: 'may-ask',
}

export async function teach(deps: SkillDeps, context: CommandContext): Promise<Effects> {
  const { args, language, event } = context
  const { quoted, media, truncated } = event
  // Of plain words no platform is asked who its administrators are.
  if (!mayChange(event.group, context))
    return say(
      language,
      '在群里只有主人和管理员可以教我流程，请用 `/teach`。',
      'In a group only owners and admins teach me, by `/teach`.',
    )
  if (quoted?.length || media?.length)
    return say(
      language,
      '流程只能用你自己在这条消息里写的话来教：转发、引用和文件里的不算。请把它写在 `/teach` 后面。',
      'I learn a procedure only from what you write yourself in that message: no forward, quotation or file. Write it behind `/teach`.',
    )
  if (truncated)
    return say(
      language,
      '这条消息太长，被截断了。请写短一些。',
      'That message was too long and was cut. Make it shorter.',
    )
  if (args.trim() === '') return sayUsage(language)
  const { own: scope } = toPlace({ ...context, group: event.group })
  const read = readWords(deps, args, { group: event.group })
  if (read.kind === 'faults') return say(language, tellFaults(read.faults, 'zh'), tellFaults(read.faults, 'en'))
  return [await toCard(deps, context, { scope, draft: read.draft, saidAt: event.at }, false)]
}

const sayUsage = (language: Language): Effects =>
  say(
    language,
    `请写出流程，例如：\n\n${example.zh}\n\n或者写成 YAML：\n\n${yamlExample}`,
    `Write the procedure, for example:\n\n${example.en}\n\nOr as YAML:\n\n${yamlExample}`,
  )

const example = {
  zh: '`/teach 当我要周报时：1. 收集本周的数据 2. 写一页草稿 3. 给我看`',
  en: '`/teach When I ask for the weekly report: 1. collect the figures of the week 2. write one page 3. show it to me`',
} as const
const yamlExample = [
  '```yaml',
  'name: "Weekly report"',
  'description: "One page on the week"',
  'trigger_conditions:',
  '  - "write the weekly report"',
  'steps:',
  '  - action: "Collect the figures"',
  '    details: "From the sheet of the team"',
  '  - action: "Write one page"',
  '```',
].join('\n')

type Read =
  | { readonly kind: 'draft'; readonly draft: Draft }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }

function readWords({ readYaml }: SkillDeps, text: string, { group }: { readonly group: boolean }): Read {
  // A line that quotes is somebody else's.
  if (/^[ \t]{0,9}[>＞] ?\S/m.test(text)) return { kind: 'faults', faults: [{ text: words.quoted }] }
  const read = isYaml(text) ? readYamlSkill(text, readYaml) : readPlainSkill(text)
  if (read.kind === 'faults') return read
  const refusal = findRefusal(toWords(read.draft), { group, steps: true })
  return refusal ? { kind: 'faults', faults: [{ text: refusals[refusal] }] } : read
}

/** All of them, each with its line. */
function tellFaults(faults: readonly Fault[], language: Language): string {
  const [only, ...more] = faults
  if (only && more.length === 0 && only.line === undefined) return only.text[language]
  const lines = faults.map(({ line, text }) => {
    if (line === undefined) return `- ${text[language]}`
    return language === 'zh' ? `- 第 ${line} 行：${text.zh}` : `- line ${line}: ${text.en}`
  })
  return [words.faults[language], ...lines].join('\n')
}

const known = { scope: memoryScope, number: z.number().int(), id: z.string() }
const payload = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  scope: memoryScope,
  draft: draftSchema,
  /** When its words were said. */
  saidAt: z.number().int(),
  /** What it was written in place of, whatever that was called. */
  instead: z.object(known).exactOptional(),
  /** New words are asked for. */
  typing: z.literal(true).exactOptional(),
  /** The draft is what `instead` says already. */
  kept: z.literal(true).exactOptional(),
})
type Payload = Omit<z.infer<typeof payload>, 'draft'> & { readonly draft: Draft }
type Taught = Omit<Payload, 'v' | 'language' | 'typing'>

type Shown = Pick<CommandContext, 'language' | 'principal' | 'zone' | 'conversation' | 'about'>

const livesMs = 86_400_000

/** `taught.draft` as YAML, with what may be done. */
async function toCard(deps: SkillDeps, context: Shown, taught: Taught, inPlace: boolean): Promise<StepEffect<never>> {
  const { language } = context
  const { before } = await findBefore(deps, taught)
  const shown = await showDraft(deps, context, { ...taught, before })
  const head = before ? words.askNew[language].replace('{version}', String(before.version + 1)) : words.ask[language]
  return {
    kind: 'ask',
    question: 'teach',
    text: `${head}\n\n${shown}\n\n${words.limit[language]}`,
    options: [
      [
        { id: 'keep', label: words.keep[language] },
        { id: 'edit', label: words.edit[language] },
        { id: 'no', label: words.no[language] },
      ],
    ],
    payload: JSON.stringify({ v: 1, language, ...taught } satisfies Payload),
    topic: 'memory teach',
    deadlineMs: livesMs,
    inPlace,
  }
}

/** Asks for the whole of it, written anew. `faults`: of what was written for it. */
export async function askForWords(
  { memory }: SkillDeps,
  { language }: Pick<Shown, 'language'>,
  { taught, faults }: { readonly taught: Taught; readonly faults?: readonly Fault[] },
): Promise<StepEffect<never>> {
  const { draft, instead, kept } = taught
  const record = kept && instead ? await memory.find(instead.scope, [instead.number]) : []
  const told = faults ? [tellFaults(faults, language)] : []
  return {
    kind: 'ask',
    question: 'teach',
    text: [...told, words.write[language], toBlock(toDraftYaml(draft))].join('\n\n'),
    options: [[{ id: 'back', label: words.back[language] }]],
    payload: JSON.stringify({ v: 1, language, ...taught, typing: true } satisfies Payload),
    topic: 'memory teach',
    words: true,
    again: true,
    deadlineMs: livesMs,
    inPlace: faults === undefined,
    cameOf: cameOf(record),
  }
}

/** A press on the card, or the words that it asked for. Safe to repeat. */
export async function answerTeach(deps: SkillDeps, context: AnswerContext): Promise<Effects> {
  const { event } = context
  const { v: _v, language, typing, ...taught } = payload.parse(JSON.parse(event.payload))
  const at = { ...context, language }
  if (typing && event.choice === '') return await readAnew(deps, at, taught)
  if (event.choice === 'edit') return [await askForWords(deps, at, { taught })]
  if (event.choice === 'back' && taught.kept) return [{ ...end, text: words.stays[language] }]
  if (event.choice === 'back') return [await toCard(deps, at, taught, true)]
  if (event.choice === 'no') return [{ ...end, text: words.dropped[language] }]
  return await keepSkill(deps, at, taught)
}

const end = { kind: 'send', inPlace: true, about: [] } as const

async function readAnew(deps: SkillDeps, context: AnswerContext, taught: Taught): Promise<Effects> {
  const { event } = context
  const read = readWords(deps, event.words ?? '', { group: taught.scope.startsWith('chat:') })
  if (read.kind === 'faults') return [await askForWords(deps, context, { taught, faults: read.faults })]
  const { kept: _kept, ...from } = taught
  return [await toCard(deps, context, { ...from, draft: read.draft, saidAt: event.at }, false)]
}

const words = {
  ask: { zh: '我这样理解这个流程。要记住吗？', en: 'This is what I understood. Shall I keep this procedure?' },
  askNew: {
    zh: '这是它的第 {version} 版，记住后取代原来的。要记住吗？',
    en: 'This is version {version} of it, and takes the place of the one that I keep. Shall I keep it?',
  },
  limit: {
    zh: '我会照着做的只是步骤：谁可以用什么、哪些事要先问你，不会因此改变。',
    en: 'These are steps and nothing more: who may use what, and what I ask about first, stays as it is.',
  },
  keep: { zh: '记住', en: 'Keep' },
  edit: { zh: '改一改', en: 'Edit' },
  no: { zh: '不用', en: 'No' },
  back: { zh: '返回', en: 'Back' },
  write: {
    zh: '请回复这条消息，写下改好的整个流程（YAML 或普通的话都行）。现在是：',
    en: 'Reply to this message with the whole procedure as it should be, as YAML or in plain words. Now it is:',
  },
  stays: { zh: '好，它不变。', en: 'All right, it stays as it is.' },
  dropped: { zh: '好，没有记。', en: 'All right, I keep nothing of it.' },
  faults: { zh: '这个流程我没能读懂，什么都没有记：', en: 'I could not read this procedure, and keep nothing of it:' },
  quoted: {
    zh: '以“>”开头的行是引用别人的话：我只从你自己的话里学。',
    en: 'Lines that begin with “>” quote somebody. I learn only from your own words.',
  },
} as const
