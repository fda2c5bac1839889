// How a chat wants to be answered (seed 000 §3.2.2 and §4.4): style, technical depth, and whether an answer may take its time. What somebody set is said
// to the model at the end of the prompt, so that its beginning stays the same; where nobody set anything, nothing is said.
import { z } from 'zod'
import type { Localised } from '#shared/chat/message.ts'
import type { ContextPart } from '#shared/feature/context-part.ts'
import type { Setting } from '#shared/feature/setting.ts'

export const wishes = {
  style: z.enum(['concise', 'thorough', 'friendly']).optional(),
  technical: z.enum(['plain', 'detailed_when_asked', 'expert']).optional(),
  pace: z.enum(['async_ok', 'soon']).optional(),
}
export type Wishes = { readonly [One in keyof typeof wishes]?: z.infer<(typeof wishes)[One]> | undefined }
type Name = keyof Wishes

type Wish = {
  readonly label: Localised
  readonly key: string
  /** What each choice is called, and what the model is told. */
  readonly choices: Readonly<Record<string, Localised & { readonly told: string }>>
}

const all: Readonly<Record<Name, Wish>> = {
  style: {
    label: { zh: '沟通风格', en: 'Style' },
    key: 'communicationStyle',
    choices: {
      concise: { zh: '简洁', en: 'concise', told: '沟通风格: 简洁、直接' },
      thorough: { zh: '周全', en: 'thorough', told: '沟通风格: 周全，把理由和例子写出来' },
      friendly: { zh: '亲切', en: 'friendly', told: '沟通风格: 亲切、口语化' },
    },
  },
  technical: {
    label: { zh: '技术深度', en: 'Technical depth' },
    key: 'technicalDepth',
    choices: {
      plain: { zh: '通俗', en: 'in plain words', told: '技术深度: 通俗，不用术语' },
      detailed_when_asked: { zh: '问到时详细', en: 'detailed when asked', told: '技术深度: 先讲要点，被问到时再详细' },
      expert: { zh: '专家', en: 'for experts', told: '技术深度: 面向专家，直接用术语' },
    },
  },
  pace: {
    label: { zh: '回复时间', en: 'Pace' },
    key: 'responseTime',
    choices: {
      async_ok: { zh: '不急', en: 'no hurry', told: '回复时间: 不急，可以多查证再回答' },
      soon: { zh: '尽快', en: 'soon', told: '回复时间: 尽快，先给结论' },
    },
  },
}
const names = ['style', 'technical', 'pace'] as const satisfies readonly Name[]

export const wishSettings: readonly Setting<Wishes, Wishes>[] = names.map((id) => {
  const { label, key, choices } = all[id]
  return {
    id,
    label,
    entry: { section: 'Preferences', key },
    holds: ({ slice }) => slice[id] ?? 'auto',
    choices: [
      ...wishes[id].unwrap().options.map((choice) => ({
        id: choice,
        label: choices[choice] ?? { zh: choice, en: choice },
        change: { [id]: choice },
      })),
      { id: 'auto', label: { zh: '自动', en: 'automatic' }, change: { [id]: undefined } },
    ],
  }
})

export const wishPart: ContextPart<Wishes> = {
  name: 'wishes',
  source: 'own',
  maxTokens: 150,
  withinMs: 1000,
  applies: (slice) => names.some((name) => slice[name] !== undefined),
  async give({ slice }) {
    const told = names.flatMap((name) => {
      const choice = slice[name]
      return choice === undefined ? [] : (all[name].choices[choice]?.told ?? [])
    })
    return told.length === 0 ? undefined : { text: told.map((line) => `- ${line}`).join('\n'), reason: '用户偏好' }
  },
}
