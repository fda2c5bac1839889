// How the demo model takes part in a task: it gives a plan of three steps, writes a note into a file at each, and hands out what they came to. So the cards
// of a task can be tried without a key. It refuses to pretend: each step says that a model would work there.
import type { PromptMessage } from '#shared/model/model-port.ts'
import type { PlannedCall } from './demo-cards.ts'
import type { DemoLanguage, DemoTurn } from './demo-turn.ts'

const planName = 'task_plan'
const writeName = 'file_write'

type Step = { readonly number: string; readonly of: string; readonly title: string; readonly note: string | undefined }

const heads: Readonly<Record<DemoLanguage, RegExp>> = {
  zh: /^任务 #\d{1,6}，第 (\d{1,3}) 步，共 (\d{1,3}) 步：([^\n]{1,200})/,
  en: /^Task #\d{1,6}, step (\d{1,3}) of (\d{1,3}): ([^\n]{1,200})/,
}
const noted = /^(?:对方对这一步的意见|What people said to this step)[^\n]{0,80}\n> ([^\n]{1,200})/m
const finishing = /^(?:任务 #\d{1,6} 的步骤都做完了|All steps of task #\d{1,6} are done)/

const titles: Readonly<Record<DemoLanguage, readonly string[]>> = {
  zh: ['第一部分：准备', '第二部分：动手', '第三部分：检查'],
  en: ['Part one: getting ready', 'Part two: the work', 'Part three: a last look'],
}

/** The call that a turn of a task makes next; undefined where it is none, or has made it. */
export function planTaskCall(
  messages: readonly PromptMessage[],
  { calls, language }: DemoTurn,
  offered: ReadonlySet<string>,
): PlannedCall | undefined {
  if (calls.length > 0) return undefined
  if (offered.has(planName)) return { name: planName, input: { steps: titles[language].map(toStep) } }
  const step = findStep(messages)
  if (!step || !offered.has(writeName)) return undefined
  return { name: writeName, input: { path: toFile(step), text: `# ${step.title}\n\n${tellStep(step, language)}\n` } }
}

/** What a turn of a task says. `isBare`: exactly that, which is for the task and not for people. */
export function tellOfTask(
  messages: readonly PromptMessage[],
  { language }: DemoTurn,
): { readonly text: string; readonly isBare: boolean } | undefined {
  if (finishing.test(newest(messages))) return { text: '[ALL]', isBare: true }
  const step = findStep(messages)
  return step && { text: tellStep(step, language), isBare: false }
}

const toStep = (title: string) => ({ title, task: title })
const toFile = ({ number }: Step): string => `step-${number}.md`
const newest = (messages: readonly PromptMessage[]): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? ''

function findStep(messages: readonly PromptMessage[]): Step | undefined {
  const said = newest(messages)
  const [, number, of, title] = heads.en.exec(said) ?? heads.zh.exec(said) ?? []
  if (number === undefined || of === undefined || title === undefined) return undefined
  return { number, of, title, note: noted.exec(said)?.[1] }
}

function tellStep({ number, of, title, note }: Step, language: DemoLanguage): string {
  if (language === 'zh')
    return `第 ${number} 步，共 ${of} 步：“${title}”。真正的模型会在这里做事。${note ? `你说过：“${note}”。` : ''}`
  const wish = note ? ` You said: “${note}”.` : ''
  return `Step ${number} of ${of}, “${title}”. A real model would work here.${wish}`
}
