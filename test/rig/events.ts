// Events and what is decided of them, small and valid: a test names what it is about, the rest is as with one person alone.
import type { Classification, Decision } from '#shared/chat/decision.ts'
import type { ChatEvent } from '#shared/chat/event.ts'

type Of<Kind extends ChatEvent['kind']> = Extract<ChatEvent, { kind: Kind }>

export const conversation = 'web:stage'
export const ann = 'web:ann'
export const base = { v: 1, conversation, principal: ann, at: 0 } as const

/** Said to the bot where nobody else is. */
export const message = (more: Partial<Of<'message'>> = {}): Of<'message'> => ({
  ...base,
  kind: 'message',
  id: 'm',
  text: 'hi',
  addressed: true,
  group: false,
  ...more,
})
/** Event `e1` says `text 1` in message `m1`, and so on. */
export const nthMessage = (n: number, more: Partial<Of<'message'>> = {}): Of<'message'> =>
  message({ id: `e${n}`, messageId: `m${n}`, text: `text ${n}`, ...more })
/** Said in a group, and not to the bot. */
export const overheard = (more: Partial<Of<'message'>> = {}): Of<'message'> =>
  message({ conversation: 'telegram:-1', principal: 'telegram:7', addressed: false, group: true, ...more })

/** A press that won its question. */
export const wonPress = (more: Partial<Of<'answer'>> = {}): Of<'answer'> => ({
  ...base,
  kind: 'answer',
  id: 'p',
  question: 'q',
  choice: 'yes',
  about: 'show-again.show',
  payload: '',
  ...more,
})
export const edit = (text: string, more: Partial<Of<'edit'>> = {}): Of<'edit'> => ({
  ...base,
  kind: 'edit',
  id: 'edit',
  messageId: 'm1',
  text,
  group: false,
  ...more,
})
export const deletion = (messageId = 'm1', more: Partial<Of<'delete'>> = {}): Of<'delete'> => ({
  ...base,
  kind: 'delete',
  id: 'gone',
  messageId,
  ...more,
})

export const standard: Classification = {
  type: 'query',
  depth: 'standard',
  complex: false,
  rule: 'query.rest',
  confidence: 'high',
}
export const toTurn = (more: Partial<Classification> = {}): Decision => ({
  v: 1,
  act: 'turn',
  rule: 'query.rest',
  class: { ...standard, ...more },
})
/** For the executor to apply without a turn; an edit with what its new text is. */
export const toApply = (rule = 'edit', found?: Partial<Classification>): Decision => ({
  v: 1,
  act: 'apply',
  rule,
  ...(found ? { class: { ...standard, ...found } } : {}),
})
/** A courtesy. */
export const toAck = (rule = 'social.whole'): Decision => ({
  v: 1,
  act: 'ack',
  rule,
  class: { ...standard, type: 'social', depth: 'light' },
})
export const toIgnore = (rule: string): Decision => ({ v: 1, act: 'ignore', rule })
export const toCommand = (name: string, args = ''): Decision => ({
  v: 1,
  act: 'command',
  rule: 'command.slash',
  command: { name, args },
})
