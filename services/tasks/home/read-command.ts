// What somebody writes after `/task`: a new order, or a word to a task that is there. Pure.
type Verb = 'pause' | 'resume' | 'cancel' | 'note'
export type Look = 'where' | 'plan' | 'steps' | 'files' | 'result'

const names: Readonly<Record<string, Verb>> = {
  pause: 'pause',
  暂停: 'pause',
  resume: 'resume',
  continue: 'resume',
  恢复: 'resume',
  继续: 'resume',
  cancel: 'cancel',
  取消: 'cancel',
  note: 'note',
  备注: 'note',
}
const looks: Readonly<Record<string, Look>> = {
  plan: 'plan',
  计划: 'plan',
  steps: 'steps',
  step: 'steps',
  步骤: 'steps',
  files: 'files',
  file: 'files',
  文件: 'files',
  result: 'result',
  结果: 'result',
}

export type Wish =
  | { readonly kind: 'help' }
  | { readonly kind: 'order'; readonly text: string }
  /** `text` names what is looked at further: a file. */
  | { readonly kind: 'look'; readonly number: number; readonly what: Look; readonly text: string }
  | { readonly kind: 'steer'; readonly number: number; readonly verb: Verb; readonly text: string }

/**
 * A number that is no task of the conversation begins an order, such as "3 poems about rain", unless one of the verbs alone stands behind it. Other words behind a task's number are a note to it.
 */
export function readCommand(args: string, isTask: (number: number) => boolean): Wish {
  const said = args.trim()
  if (said === '') return { kind: 'help' }
  const { word: first, rest } = cutWord(said)
  const number = /^#?\d{1,6}$/.test(first) ? Number(first.replace('#', '')) : 0
  if (number === 0) return { kind: 'order', text: said }
  if (rest === '') return { kind: 'look', number, what: 'where', text: '' }
  const { word, rest: text } = cutWord(rest)
  const what = looks[word.toLowerCase()]
  if (what !== undefined && text === '') return { kind: 'look', number, what, text }
  const isVerb = names[rest.toLowerCase()] !== undefined
  if (!isTask(number) && !isVerb) return { kind: 'order', text: said }
  if (what === 'files') return { kind: 'look', number, what, text }
  const verb = names[word.toLowerCase()]
  if (verb === undefined || (verb !== 'note' && text !== '')) return { kind: 'steer', number, verb: 'note', text: rest }
  return { kind: 'steer', number, verb, text }
}

/** Whether it is answered at once, also while a turn of the conversation runs: whatever tasks there are, it begins and changes nothing. */
export const onlyLooks = (args: string): boolean => readCommand(args, () => false).kind === 'look'

function cutWord(said: string): { readonly word: string; readonly rest: string } {
  const end = said.search(/\s/)
  return end < 0 ? { word: said, rest: '' } : { word: said.slice(0, end), rest: said.slice(end).trim() }
}
