// How many calls of a platform were made in this month, for /status.
import { isNearlyUsedUp } from '#adapters/feishu/call-count.ts'
import { toAccountName } from '#adapters/feishu/ids.ts'
import type { PlatformCalls } from '#services/commands/status.ts'
import { createAppAccount, toMonth } from '#queues/fleet/app-account.ts'
import { parseConversation, type ConversationId } from '#shared/chat/conversation.ts'
import type { Runtime } from './runtime.ts'

type Asked = { readonly conversation: ConversationId; readonly owner: boolean }

const platform = { zh: '飞书', en: 'Feishu' }

/** Undefined for others than owners, elsewhere than on Feishu, and without a limit. */
export async function readCalls(
  { call, clock, settings }: Pick<Runtime, 'call' | 'settings'> & { readonly clock: Pick<Runtime['clock'], 'now'> },
  { conversation, owner }: Asked,
): Promise<PlatformCalls | undefined> {
  const { feishu } = settings
  if (!owner || !feishu || feishu.monthlyCalls === 0) return undefined
  if (parseConversation(conversation).channel !== 'feishu') return undefined
  const made = await createAppAccount(call, toAccountName(feishu.appId)).calls(toMonth(clock.now()))
  const most = feishu.monthlyCalls
  return { platform, made, most, isNearlyOver: isNearlyUsedUp(made, most), setting: 'FEISHU_CALLS' }
}
