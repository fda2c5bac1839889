// What is said once something was forgotten: how much went, and what nobody here can reach.
import { parseConversation, type ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'

export type Source = { readonly conversation: ConversationId; readonly messages: readonly string[] }

type Gone = {
  readonly records: number
  /** They were worded anew meanwhile. */
  readonly stays: number
  readonly guesses: number
  readonly questions: number
  readonly days: number
  readonly sources: readonly Source[]
  /** The index of memory has passed it. */
  readonly isIndexed: boolean
}

export function tellGone(
  language: Language,
  { records, stays, guesses, questions, days, sources, isIndexed }: Gone,
): string {
  const messages = sources.reduce((sum, one) => sum + one.messages.length, 0)
  const channels = [...new Set(sources.map(({ conversation }) => parseConversation(conversation).channel))]
  const platforms = channels.filter((channel) => channel !== 'web' && channel !== 'console')
  const isChinese = language === 'zh'
  if (records + guesses + questions + days + messages === 0) {
    if (stays === 0) return isChinese ? '这些已经不在了。' : 'That is not kept any more.'
    return isChinese
      ? '这些刚才被改写了，所以留着。请再说一次要忘掉什么。'
      : 'That was worded anew meanwhile, and stays. Say once more what I shall forget.'
  }
  const reach = isChinese
    ? `${platforms.length === 0 ? '' : '平台自己还显示着的消息我碰不到。'}服务器的备份我也碰不到。`
    : `${platforms.length === 0 ? '' : ' I cannot reach what the platform itself still shows.'} Nor can I reach backups of the server.`
  const late = isChinese
    ? '记忆的搜索索引暂时没有回应：等它恢复，那里的也会删掉。'
    : ' The search index of memory does not answer now: what it has of this goes as soon as it does.'
  const other = isChinese
    ? `有 ${stays} 条刚才被改写了，所以留着。`
    : ` ${stays === 1 ? 'One was' : `${stays} were`} worded anew meanwhile, and ${stays === 1 ? 'stays' : 'stay'}.`
  const rest = `${messages === 0 ? '' : reach}${stays === 0 ? '' : other}${isIndexed ? '' : late}`
  const others = records + guesses + questions + days
  if (isChinese) {
    const parts = [
      ...(records === 0 ? [] : [`${records} 条`]),
      ...(guesses === 0 ? [] : [`${guesses} 条推测`]),
      ...(questions === 0 ? [] : [`${questions} 个要问你的问题`]),
      ...(days === 0 ? [] : [`${days} 天各留的一行`]),
      ...(messages === 0 ? [] : [`${others === 0 ? '' : '说出它们的 '}${messages} 条消息`]),
    ]
    return `忘掉了 ${parts.join('，以及')}。我不会再从别的话里推测出来；你再说“记住”就又记住。${rest}`
  }
  const [first, ...more] = [
    ...toCounted(records, 'thing'),
    ...toCounted(guesses, 'guess'),
    ...toCounted(questions, 'question'),
    ...toCounted(days, 'line of a day'),
    ...toCounted(messages, 'message'),
  ]
  const verb = first?.startsWith('one ') === true ? 'is' : 'are'
  const head = `${first?.charAt(0).toUpperCase()}${first?.slice(1)} ${verb} forgotten`
  const behind = more.length === 0 ? '' : `, with ${more.join(' and ')}`
  const said = messages === 0 || others === 0 ? '' : ' that said so'
  return `${head}${behind}${said}. I will not work it out again from other words, unless you tell me to remember it.${rest}`
}

/** `one guess`, `3 guesses`; nothing for none. */
function toCounted(count: number, what: string): readonly string[] {
  if (count === 0) return []
  if (what === 'line of a day') return [count === 1 ? 'one line of a day' : `${count} lines of days`]
  return [count === 1 ? `one ${what}` : `${count} ${what}${what.endsWith('s') ? 'es' : 's'}`]
}
