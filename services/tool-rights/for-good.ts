// What owners approved here for good: whether it covers a call, the list that /tools shows, and taking it back.
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { toOurs } from '#shared/feature/kept.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { say } from '#shared/feature/say.ts'
import type { AwaitedCall } from '#shared/run/approval.ts'
import { describe, type Known } from './card.ts'
import { fits, holding, type Pattern } from './patterns.ts'
import type { ApprovalDeps } from './raise.ts'
import type { Approvals, ApprovalsChange } from './slice.ts'
import { toSpan } from './visible.ts'

/** Only while who approved it is an owner who may use the tool themselves. */
export async function isCovered(
  deps: ApprovalDeps,
  tools: readonly Known[],
  slice: Approvals,
  { call, conversation }: { readonly call: AwaitedCall; readonly conversation: ConversationId },
): Promise<boolean> {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return false
  for (const one of holding(slice.patterns, deps.now()))
    if (fits(one, tool, call) && (await deps.isOwner(one.owner, conversation)))
      if ((await deps.findToolRight(tool, one.owner, conversation)) === 'use') return true
  return false
}

/** Nothing where nothing is approved for good. A path may have a secret in it: it is only for owners who are alone with the bot. */
export function listForGood(
  { patterns }: Approvals,
  { nowMs, language, isAlone }: { readonly nowMs: number; readonly language: Language; readonly isAlone: boolean },
): readonly string[] {
  const held = holding(patterns, nowMs)
  if (held.length === 0) return []
  const head =
    language === 'zh'
      ? '主人在这里批准的，各到所列日期为止（`/tools revoke <编号>` 提前收回）：'
      : 'Approved here by an owner, each until its date (`/tools revoke <number>` takes it back sooner):'
  const lines = held.map((one) => {
    const until = new Date(one.untilMs).toISOString().slice(0, 10)
    const by = toSpan(one.owner, 80)
    const covers = describe(isAlone ? one : withoutPath(one), language)
    return language === 'zh'
      ? `- ${one.no} · \`${one.tool}\` · ${covers} · ${by} 批准 · 到 ${until}`
      : `- ${one.no} · \`${one.tool}\` · ${covers} · by ${by} · until ${until}`
  })
  return [[head, lines.join('\n')].join('\n\n')]
}

function withoutPath(one: Pattern): Pattern {
  if (one.by !== 'path') return one
  const [host] = /^https?:\/\/[^/]*/i.exec(one.like) ?? ['']
  return { ...one, like: toOurs(`${host}/…`) }
}

export function revoke(
  { slice, language, owner }: CommandContext<Approvals>,
  word: string,
): readonly StepEffect<ApprovalsChange>[] {
  if (!owner) return say(language, '只有主人可以收回批准。', 'Only an owner can take an approval back.')
  const found = slice.patterns.find(({ no }) => String(no) === word)
  if (!found)
    return say(
      language,
      '没有这个编号的批准。/tools 列出它们。',
      'There is no approval of this number. /tools lists them.',
    )
  const said = say(language, `已收回 ${found.no}：\`${found.tool}\`。`, `Taken back: ${found.no}, \`${found.tool}\`.`)
  return [{ kind: 'change', change: { revoke: found.no } }, ...said]
}
