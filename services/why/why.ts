// /why: how an answer came about, as it was recorded when it was given. In reply to the answer, or to what it answered; else of the last one.
// Nothing is asked of the model. In a group only kinds, counts and rules are told: what was remembered of a person is for them, in their own chat.
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { CommandContext, CommandInfo, Feature } from '#shared/feature/feature.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { Clock, Ports, Records } from '#shared/feature/ports.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { explain } from './explain.ts'

/** The questions to people that an answer rests on, a line each, and the messages that they came of. */
type TellAnswers = (given: {
  readonly record: TurnRecord
  readonly conversation: ConversationId
  readonly language: Language
  readonly zone: string
}) => Promise<{ readonly lines: readonly string[]; readonly cameOf: readonly CameOf[] }>

export type WhyPorts = { readonly tellAnswers: TellAnswers }
type WhyDeps = Pick<Records, 'findTurn' | 'costOf'> & Pick<Clock, 'timeZone'> & WhyPorts

const command: CommandInfo = {
  name: 'why',
  help: {
    zh: '这个回答是怎么来的（可回复那条回答）',
    en: 'how an answer came about; reply to it, or the last one',
  },
  more: {
    zh: '`/why` 说明上一个回答，用 `/why` 回复某个回答则说明那一个：消息怎样判断，给了模型什么，用了哪些工具，花了多少。',
    en: '`/why` tells of the last answer, and `/why` as a reply of that one: how the message was judged, what the model was given, which tools ran and what it cost.',
  },
}

export const whyCapability: Capability<Pick<Ports, 'records' | 'clock'> & WhyPorts> = {
  commands: [command],
  create: ({ records, clock, tellAnswers }) => createWhy({ ...records, ...clock, tellAnswers }),
}

export function createWhy(deps: WhyDeps): Feature {
  return { name: 'why', commands: [{ ...command, readsOnly: true, run: (context) => run(deps, context) }] }
}

const mostAbout = 200

async function run(deps: WhyDeps, context: CommandContext): Promise<readonly StepEffect<never>[]> {
  const { conversation, language, principal, event } = context
  const found = await deps.findTurn(conversation, event.replyTo ? { message: event.replyTo.messageId } : 'last')
  if (!found) return sayUnknown(conversation, language)
  const { record } = found
  // It quotes what was asked, and goes with that.
  const about = [...new Set([...context.about, ...found.about])].slice(-mostAbout)
  const isOwn = !event.group && (record.asker ?? record.principal) === principal
  const micros = record.model === undefined ? undefined : deps.costOf(record.model, record.tokens)
  const zone = (await context.zone()) ?? deps.timeZone
  // Who asked is told all of it; in a group, or somebody else, what is that chat's.
  const told = isOwn || record.group ? await deps.tellAnswers({ record, conversation, language, zone }) : undefined
  const text = explain(record, { language, isOwn, micros, answered: told?.lines ?? [] })
  return [{ kind: 'send', text, about, cameOf: told?.cameOf ?? [] }]
}

function sayUnknown(conversation: ConversationId, language: Language): readonly StepEffect<never>[] {
  if (hasStream(conversation))
    return say(
      language,
      '这里还没有模型写的回答，或者记录已被忘掉或太久了。寒暄和命令我不问模型就回答。',
      'No answer of the model is on record here: there was none yet, or it was forgotten or is too long ago. Greetings and commands are answered without the model.',
    )
  return say(
    language,
    '那条回答没有记录：可能太久了，被忘掉了，或者不是模型写的（寒暄和命令我直接回答）。回复一条回答再发 /why。',
    'There is no record of that: it is too long ago, was forgotten, or was not written by the model, as greetings and commands are not. Reply to an answer with /why.',
  )
}
