// The messages of a prompt in the order and the roles that an endpoint takes. No word of them is lost. Pure.
import type { PromptMessage } from '#shared/model/model-port.ts'
import type { Dialect } from './dialects.ts'

type Message = PromptMessage

export function arrangeMessages(
  messages: readonly Message[],
  { systems, alternates }: Pick<Dialect, 'systems' | 'alternates'>,
): readonly Message[] {
  const placed = systems === 'any' ? messages : placeSystems(messages, systems)
  return alternates ? alternate(placed) : placed
}

/**
 * The system messages that stand first become one, or words before what the user says first. A later one, such as the state of the turn, stands before the
 * words of the last message of a user: so all that comes before stays as it was, and endpoints find it in their caches.
 */
function placeSystems(messages: readonly Message[], systems: 'one' | 'none'): readonly Message[] {
  const begins = messages.findIndex(({ role }) => role !== 'system')
  const end = begins < 0 ? messages.length : begins
  const first = joinTexts(messages.slice(0, end))
  const rest = messages.slice(end)
  const later = joinTexts(rest.filter(({ role }) => role === 'system'))
  const spoken = rest.filter(({ role }) => role !== 'system')
  const said = putBefore(spoken, later, spoken.findLastIndex(isUser))
  if (systems === 'one') return first === '' ? said : [{ role: 'system', content: first }, ...said]
  return putBefore(said, first, said[0]?.role === 'user' ? 0 : -1)
}

/** Before the words of the user's message at this place; as a message of its own, at the beginning, where there is none. */
function putBefore(messages: readonly Message[], note: string, at: number): readonly Message[] {
  if (note === '') return messages
  const content = `<instructions>\n${note}\n</instructions>`
  return at < 0
    ? [{ role: 'user', content }, ...messages]
    : messages.map((one, i) => (i === at ? { ...one, content: `${content}\n\n${one.content}` } : one))
}

/** What follows one another of the same role becomes one message; where a user has to speak, or the assistant, a few dots stand. */
function alternate(messages: readonly Message[]): readonly Message[] {
  const made: Message[] = []
  for (const one of messages) {
    const last = made.at(-1)
    if (one.role === 'system' && last === undefined) {
      made.push(one)
      continue
    }
    const joined = last && join(last, one)
    if (joined) {
      made[made.length - 1] = joined
      continue
    }
    if (one.role === 'assistant' && (last === undefined || last.role === 'system')) made.push(dots('user'))
    if (one.role === 'user' && last?.role === 'tool') made.push(dots('assistant'))
    made.push(one.role === 'system' ? { role: 'user', content: one.content } : one)
  }
  return made
}

const dots = (role: 'user' | 'assistant'): Message => ({ role, content: '…' })
const isUser = ({ role }: Message): boolean => role === 'user'

function join(last: Message, one: Message): Message | undefined {
  if (last.role === 'user' && (one.role === 'user' || one.role === 'system'))
    return { ...last, content: joinTexts([last, one]) }
  if (last.role !== 'assistant' || one.role !== 'assistant' || last.toolCalls?.length) return undefined
  return { ...one, content: joinTexts([last, one]) }
}

const joinTexts = (messages: readonly Message[]): string =>
  messages
    .map(({ content }) => content)
    .filter((text) => text !== '')
    .join('\n\n')
