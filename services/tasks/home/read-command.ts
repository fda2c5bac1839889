// What somebody writes after `/task`: a new order, or a word to a task that is there. Pure.
type Verb = 'pause' | 'resume' | 'cancel' | 'plan' | 'note'

const names: Readonly<Record<string, Verb>> = {
  pause: 'pause',
  暂停: 'pause',
  resume: 'resume',
  continue: 'resume',
  恢复: 'resume',
  继续: 'resume',
  cancel: 'cancel',
  取消: 'cancel',
  plan: 'plan',
  计划: 'plan',
  note: 'note',
  备注: 'note',
}

export type Wish =
  | { readonly kind: 'help' }
  | { readonly kind: 'order'; readonly text: string }
  | { readonly kind: 'look'; readonly number: number }
  | { readonly kind: 'steer'; readonly number: number; readonly verb: Verb; readonly text: string }

/**
 * A number that is no task of the conversation begins an order: "3 poems about rain", unless one of the verbs alone stands behind it. Other words behind a
 * task's number are a note to it.
 */
export function readCommand(args: string, isTask: (number: number) => boolean): Wish {
  const said = args.trim()
  if (said === '') return { kind: 'help' }
  const { word: first, rest } = cutWord(said)
  const number = /^#?\d{1,6}$/.test(first) ? Number(first.replace('#', '')) : 0
  const isVerb = names[rest.toLowerCase()] !== undefined
  if (number === 0 || (!isTask(number) && rest !== '' && !isVerb)) return { kind: 'order', text: said }
  if (rest === '') return { kind: 'look', number }
  const { word, rest: text } = cutWord(rest)
  const verb = names[word.toLowerCase()]
  if (verb === undefined || (verb !== 'note' && text !== '')) return { kind: 'steer', number, verb: 'note', text: rest }
  return { kind: 'steer', number, verb, text }
}

function cutWord(said: string): { readonly word: string; readonly rest: string } {
  const end = said.search(/\s/)
  return end < 0 ? { word: said, rest: '' } : { word: said.slice(0, end), rest: said.slice(end).trim() }
}
