// /unlink: one of the linked accounts goes its own way, with what it said.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, CommandInfo, LetterContext } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { account, type Account } from '#shared/memory/accounts.ts'
import { mostAccounts } from '#shared/memory/record.ts'
import { readStored } from '#shared/stored-json.ts'
import type { LinkDeps } from './link.ts'
import { channelNames, tellAccount } from './words.ts'
import { parseConversation } from '#shared/chat/conversation.ts'

type Effects = readonly StepEffect<never>[]

export const unlinkCommand: CommandInfo = {
  name: 'unlink',
  help: { zh: '取消账号关联', en: 'end the link between accounts' },
  more: {
    zh: '`/unlink` 列出关联的账号，按一下就取消其中一个：它说过的归它，其他人说过的留给其余账号。',
    en: '`/unlink` lists the linked accounts. A press ends the link of one: what that account said goes with it, and the rest stays with the others.',
  },
  only: 'direct',
}

const livesMs = 3_600_000
const payload = z.object({ v: z.literal(1), language: z.enum(languages), all: z.array(account).max(mostAccounts) })

export async function unlink({ accounts }: LinkDeps, context: CommandContext): Promise<Effects> {
  const { language, principal, event } = context
  if (event.group) return say(language, '取消关联只能在与我的私聊里做。', 'A link is ended in a direct chat with me.')
  const all = await accounts.find(principal)
  if (all.length === 0)
    return say(
      language,
      '这个账号没有与别的关联。`/link` 可以关联。',
      'This account is linked with none. `/link` links it.',
    )
  const isChinese = language === 'zh'
  // The first one is this account.
  const sorted = all.toSorted((a, b) => Number(b.principal === principal) - Number(a.principal === principal))
  const lines = sorted.map((one, at) => `- ${tellAccount(one, language)}${at === 0 ? toHere(language) : ''}`)
  const head = isChinese ? '这些账号共用我为你记住的：' : 'These accounts share what I keep for you:'
  const what = isChinese
    ? '取消哪一个的关联？它说过的归它，其余的留给其他账号。'
    : 'Which one shall I unlink? What it said goes with it, and the rest stays with the others.'
  const buttons = sorted.map((one, at) => ({ id: `one-${at}`, label: toLabel(one, language, at === 0) }))
  return [
    {
      kind: 'ask',
      question: 'unlink',
      text: [head, ...lines, '', what].join('\n'),
      options: [...buttons.map((button) => [button]), [{ id: 'no', label: isChinese ? '都留着' : 'Keep all' }]],
      payload: JSON.stringify({ v: 1, language, all: sorted }),
      topic: 'accounts unlink',
      deadlineMs: livesMs,
      about: [],
    },
  ]
}

const toHere = (language: Language): string => (language === 'zh' ? '（这个账号）' : ' (this account)')

function toLabel({ conversation, name, principal }: Account, language: Language, isHere: boolean): string {
  const channel = channelNames[parseConversation(conversation).channel][language]
  if (isHere) return language === 'zh' ? '取消这个账号' : 'Unlink this account'
  const shown = (name ?? principal).slice(0, 24).toWellFormed()
  return language === 'zh' ? `取消${channel}：${shown}` : `Unlink ${shown}, ${channel}`
}

const end = (text: string): StepEffect<never> => ({ kind: 'send', text, inPlace: true, about: [] })

export async function answerUnlink({ accounts }: LinkDeps, { event, principal }: AnswerContext): Promise<Effects> {
  const { language, all } = readStored('card of links', payload, event.payload)
  const isChinese = language === 'zh'
  const gone = all[Number(event.choice.replace('one-', ''))]
  if (event.choice === 'no' || !gone) return [end(isChinese ? '好，都留着。' : 'All right, they stay linked.')]
  const known = new Set(all.map((one) => one.principal))
  // A step that comes again finds those that it parted, once all that it began is done.
  for (const one of known) await accounts.goOn(one)
  // A card of other links does nothing.
  const linked = await accounts.find(principal)
  if (linked.some((one) => !known.has(one.principal)))
    return [end(isChinese ? '关联变了，请再写 `/unlink`。' : 'The links have changed: write `/unlink` once more.')]
  if (linked.some((one) => one.principal === gone.principal)) await accounts.unlink(gone.principal)
  const text = isChinese
    ? `已取消${tellAccount(gone, language)}的关联：它说过的归它，其余的留给其他账号。\`/memory\` 里的编号可能变了。`
    : `${tellAccount(gone, language)} is not linked any more: what it said went with it, and the rest stays with the others. The numbers of \`/memory\` may have changed.`
  const others = all.filter((one) => one.principal !== principal)
  return [
    end(text),
    ...others.map(
      (one) => ({ kind: 'letter', to: one.conversation, letter: 'parted', payload: JSON.stringify({ gone }) }) as const,
    ),
  ]
}

const parted = z.object({ gone: account })

export function tellParted({ event, language }: LetterContext): Promise<Effects> {
  const { gone } = readStored('letter of an unlinked account', parted, event.payload)
  return Promise.resolve(
    say(
      language,
      `已取消${tellAccount(gone, language)}的账号关联：它说过的归它，其余的留给其他账号。`,
      `${tellAccount(gone, language)} is not linked any more: what it said went with it, and the rest stays with the others.`,
    ),
  )
}
