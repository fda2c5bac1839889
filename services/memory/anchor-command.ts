// /anchor: what is settled, as decision, constraint, pattern or metric. In a direct chat it is written at once; in a group it is proposed, and whoever may
// change what holds there confirms it.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { proposeAnchor } from './anchor-card.ts'
import { refuseAnchor, toAnchorRecord, type Settled } from './anchor-record.ts'
import { tellAnchored } from './anchor-written.ts'
import { isExpired } from './anchor-words.ts'
import { toList, toOnCard, type Effects } from './card-list.ts'
import type { FindDeps } from './find-kept.ts'
import { toPlace } from './place.ts'
import { refusals } from './refusal-words.ts'
import { toDay, toShown } from './words.ts'
import { parseAnchor, type ParsedAnchor } from '#services/memory/anchors/parse.ts'

export const listsAnchors = (args: string): boolean => args.trim() === ''

export async function anchor(deps: FindDeps, context: CommandContext): Promise<Effects> {
  const { args, language, event } = context
  if (listsAnchors(args)) return await toList(deps, context, toOnCard(context, { kind: 'anchors' }), { inPlace: false })
  const parsed = parseAnchor(args)
  if (parsed.kind !== 'anchor') return sayFault(parsed, language)
  const settled = toSettled(context, parsed)
  if (isExpired(settled, toDay(deps.now(), (await context.zone()) ?? deps.timeZone)))
    return say(language, '那一天已经过了，没有记下。', 'That last day is over already. Nothing is kept.')
  const refusal = refuseAnchor(settled, event.group)
  if (refusal) return say(language, refusals[refusal].zh, refusals[refusal].en)
  const scope = toPlace({ ...context, group: event.group }).own
  if (event.group) return await proposeAnchor(deps, context, { scope, settled })
  const { principal } = context
  const written = await deps.memory.write(scope, toAnchorRecord(settled, { principal, atMs: event.at }))
  return tellAnchored(written, { scope, language })
}

function toSettled(
  { principal, conversation, event, state, about }: CommandContext,
  { of, text, anchor: made }: Extract<ParsedAnchor, { kind: 'anchor' }>,
): Settled {
  const name = event.group ? state.nameOf(principal) : undefined
  return {
    of,
    text,
    anchor: made,
    speaker: principal,
    ...(name === undefined ? {} : { name: name.slice(0, 100).toWellFormed() }),
    event: event.id,
    conversation,
    messages: about,
  }
}

const parts: Readonly<Record<Extract<ParsedAnchor, { kind: 'too-long' }>['part'], Localised>> = {
  text: { zh: '它', en: 'It' },
  topic: { zh: '题目', en: 'Its topic' },
  why: { zh: '原因', en: 'Its reason' },
  context: { zh: '背景', en: 'Its context' },
  tag: { zh: '一个标签', en: 'A tag' },
  tags: { zh: '标签', en: 'It' },
}

function sayFault(fault: Exclude<ParsedAnchor, { kind: 'anchor' }>, language: Language): Effects {
  switch (fault.kind) {
    case 'unclear':
      return say(
        language,
        '可以写：`/anchor D 数据库：我们用 Postgres；原因：两个人会；到期：2027-03-01；标签：后端`。D 是决定，C 是约束，P 是做法，M 是指标；冒号前面是题目。',
        'You can write: `/anchor D database: we use Postgres; why: two of us know it; until: 2027-03-01; tags: backend`. D is a decision, C a constraint, P a pattern, M a metric; before the colon stands its topic.',
      )
    case 'bad-day': {
      const said = toShown(fault.said.slice(0, 60))
      return say(language, `“${said}”不是日期。请写成 2027-03-01。`, `“${said}” is no day. Write it as 2027-03-01.`)
    }
    case 'too-long': {
      const { zh, en } = parts[fault.part]
      return fault.part === 'tags'
        ? say(language, `${zh}最多 ${fault.most} 个。`, `${en} has more than ${fault.most} tags.`)
        : say(language, `${zh}超过了 ${fault.most} 个字符。`, `${en} has more than ${fault.most} characters.`)
    }
    default:
      return fault satisfies never
  }
}
