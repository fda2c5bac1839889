// /why: how an answer came about, as it was recorded when it was given. In reply to the answer, or to what it answered; else of the last one.
// Nothing is asked of the model. In a group only kinds, counts and rules are told: what was remembered of a person is for them, in their own chat.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { CommandContext, Feature } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'
import { toTurn } from '#shared/run/out-row.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { explain } from './explain.ts'

export type WhyDeps = {
  findTurn(
    conversation: ConversationId,
    by: { readonly turn: string } | { readonly message: string },
  ): Promise<TurnRecord | undefined>
  /** US dollars, where the model's prices are known. */
  costOf(model: string, tokens: TurnRecord['tokens']): number | undefined
}

export function createWhy(deps: WhyDeps): Feature {
  return {
    name: 'why',
    commands: [
      {
        name: 'why',
        help: {
          zh: '这个回答是怎么来的（可回复那条回答）',
          en: 'how an answer came about; reply to it, or the last one',
        },
        readsOnly: true,
        run: (context) => run(deps, context),
      },
    ],
  }
}

async function run(deps: WhyDeps, context: CommandContext): Promise<readonly StepEffect<never>[]> {
  const { language, principal, event } = context
  const record = await find(deps, context)
  if (!record)
    return say(
      language,
      '我没有关于那条回答的记录：可能太久了，被忘掉了，或者那不是我的回答。回复一条回答再发 /why。',
      'I have no record of that: it is too long ago, was forgotten, or is no answer of mine. Reply to an answer with /why.',
    )
  const isOwn = !event.group && (record.asker ?? record.principal) === principal
  const usd = record.model === undefined ? undefined : deps.costOf(record.model, record.tokens)
  return [{ kind: 'send', text: explain(record, { language, isOwn, usd }), about: context.about }]
}

async function find(
  { findTurn }: WhyDeps,
  { conversation, event, state }: CommandContext,
): Promise<TurnRecord | undefined> {
  if (event.replyTo) return await findTurn(conversation, { message: event.replyTo.messageId })
  const last = state.lastAbout.at(-1)
  if (state.lastCard !== undefined) {
    const found = await findTurn(conversation, { turn: toTurn(state.lastCard) })
    if (found) return found
  }
  return last === undefined ? undefined : await findTurn(conversation, { message: last })
}
