// What somebody writes after `/task`: a new order, or a word to a task that is there. Pure.
export const verbs = ['pause', 'resume', 'cancel', 'plan', 'note'] as const
export type Verb = (typeof verbs)[number]

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

/** A number that is no task of the conversation begins an order: "3 poems about rain". Other words behind a task's number are a note to it. */
export function readCommand(args: string, isTask: (number: number) => boolean): Wish {
  const said = args.trim()
  if (said === '') return { kind: 'help' }
  const [, digits = '', rest = ''] = /^#?(\d{1,6})(?:\s+([^]*))?$/.exec(said) ?? []
  const number = Number(digits)
  if (digits === '' || (!isTask(number) && rest !== '')) return { kind: 'order', text: said }
  if (rest === '') return { kind: 'look', number }
  const [, word = '', text = ''] = /^(\S+)(?:\s+([^]*))?$/.exec(rest) ?? []
  const verb = names[word.toLowerCase()]
  if (verb === undefined || (verb !== 'note' && text !== '')) return { kind: 'steer', number, verb: 'note', text: rest }
  return { kind: 'steer', number, verb, text }
}
