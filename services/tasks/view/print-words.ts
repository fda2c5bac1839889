// Words of ours about how a task stands, in both languages.
import type { Language, Localised } from '#shared/chat/message.ts'
import { pick } from '#services/tasks/words.ts'
import type { Outlook } from './task-view.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** As people say it, in its largest two units: `3 min 20 s`. */
export function toSpan(ms: number, language: Language): string {
  const [seconds, minutes] = [Math.floor(ms / 1000), Math.floor(ms / minuteMs)]
  const [hours, days] = [Math.floor(ms / hourMs), Math.floor(ms / dayMs)]
  const zh = language === 'zh'
  if (days > 0) return zh ? `${days} 天` : days === 1 ? '1 day' : `${days} days`
  if (hours > 0) return zh ? `${hours} 小时 ${minutes % 60} 分` : `${hours} h ${minutes % 60} min`
  if (minutes > 0) return zh ? `${minutes} 分 ${seconds % 60} 秒` : `${minutes} min ${seconds % 60} s`
  if (seconds > 0) return zh ? `${seconds} 秒` : `${seconds} s`
  return zh ? '不到 1 秒' : 'less than 1 s'
}

export const toCount = (tokens: number, language: Language): string =>
  `${tokens.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB')}${language === 'zh' ? ' 个 token' : ' tokens'}`

export function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

const works: Readonly<Record<Extract<Outlook, { kind: 'work' }>['of'], (step: number) => Localised>> = {
  plan: () => ({ zh: '正在定计划。', en: 'Making the plan.' }),
  step: (step) =>
    step > 0 ? { zh: `正在做第 ${step} 步。`, en: `At step ${step}.` } : { zh: '正在做。', en: 'At work.' },
  undo: () => ({ zh: '正在撤销在外部做的事。', en: 'Taking back a change outside.' }),
  result: () => ({ zh: '步骤都做完了，正在整理结果。', en: 'All steps are done. Putting the result together.' }),
}
const waits: Readonly<Record<Extract<Outlook, { kind: 'waits' }>['waits'], (step: number) => Localised>> = {
  start: () => ({ zh: '等你按“开始”。', en: 'Waits for Start.' }),
  checkpoint: (step) => ({
    zh: `第 ${step} 步做完了，等你看过：按“继续”，或回复要改的地方。`,
    en: `Step ${step} is done. Please look at it: press Continue, or reply with what should change.`,
  }),
  words: () => ({ zh: '等你写下要改的地方。', en: 'Waits for you to write what should change.' }),
  undo: () => ({
    zh: '等你决定要不要撤销在外部做的事。',
    en: 'Waits for you to decide whether to undo a change outside.',
  }),
  recovery: (step) =>
    step > 0
      ? {
          zh: `第 ${step} 步没有做成，等你决定怎么办。`,
          en: `Step ${step} did not succeed. You decide what to do.`,
        }
      : { zh: '没有定成计划，等你决定怎么办。', en: 'There is no plan. You decide what to do.' },
  approval: (step) =>
    step > 0
      ? { zh: `第 ${step} 步要得到批准或回答才能继续。`, en: `Step ${step} needs an approval or an answer to go on.` }
      : { zh: '要得到批准或回答才能继续。', en: 'Needs an approval or an answer to go on.' },
}
const ends = {
  paused: (name: string) => ({
    zh: `已暂停。\`${name} resume\` 可以继续。`,
    en: `Paused. \`${name} resume\` goes on.`,
  }),
  done: () => ({ zh: '已完成。', en: 'Done.' }),
  failed: () => ({ zh: '没有做成。', en: 'It did not succeed.' }),
  limits: (name: string) => ({
    zh: `用完了时间或 token。\`${name} resume\` 给它更多。`,
    en: `It has used up its time or tokens. \`${name} resume\` gives it more.`,
  }),
  cancelled: () => ({ zh: '已取消。', en: 'Cancelled.' }),
} satisfies Readonly<Record<string, (name: string) => Localised>>

/** One sentence or two. */
export function toOutlookWords(outlook: Outlook, task: number, language: Language): string {
  if (outlook.kind === 'work') return pick(language, works[outlook.of](outlook.step))
  if (outlook.kind === 'waits') return pick(language, waits[outlook.waits](outlook.step))
  return pick(language, ends[outlook.kind](`/task ${task}`))
}

/** How long a card still waits. */
export const toLeft = (endsAt: number | undefined, nowMs: number, language: Language): string =>
  endsAt === undefined || endsAt <= nowMs
    ? ''
    : pick(language, {
        zh: `还等 ${toSpan(endsAt - nowMs, language)}，之后会暂停。`,
        en: `It waits for another ${toSpan(endsAt - nowMs, language)}; then it is paused.`,
      })
