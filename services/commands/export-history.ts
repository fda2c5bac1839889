// The command /export: all that is kept of a conversation's history, as a file, and as a text for channels that show none.
import type { Language } from '#shared/chat/message.ts'
import type { Command } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'

/** Some eight messages of a chat, which all wait for their turn to be sent. */
const mostChatChars = 30_000
/** The terminal prints it in one piece. */
const mostTerminalChars = 200_000
/** Above all that is remembered of a conversation; it bounds what an outbox holds. */
const mostFileChars = 1_000_000

export const exportHistory: Command = {
  name: 'export',
  help: { zh: '导出本会话的记录', en: 'export this session' },
  more: {
    zh: '`/export` 把我记得的本会话内容作为文件给出；在终端里直接打印。',
    en: '`/export` gives what I remember of this session as a file; in the terminal it is printed.',
  },
  admins: 'always',
  run: async (context) => {
    const { language: lang, state, conversation } = context
    const { lines, about } = await state.transcript()
    if (lines.length === 0) return say(lang, '这个会话还没有内容。', 'This session is empty.')
    if (conversation.startsWith('console:'))
      return [{ kind: 'send', text: toText(lines, state.sessionId, { lang, mostChars: mostTerminalChars }), about }]
    const text = toText(lines, state.sessionId, { lang, mostChars: mostChatChars })
    return [{ kind: 'send', text, about, file: toFile(lines, lang) }]
  },
}

type Shape = { readonly lang: Language; readonly mostChars: number }

function toText(lines: readonly string[], title: string, { lang, mostChars }: Shape): string {
  const kept = newest(lines, mostChars)
  // Longer than any in the text, so that nothing said can end it.
  const longest = Math.max(3, ...kept.flatMap((line) => (line.match(/~+/g) ?? []).map((run) => run.length)))
  const fence = '~'.repeat(longest + 1)
  return [title, ...noteLeft(lines.length - kept.length, lang), fence, ...kept, fence].join('\n')
}

function toFile(lines: readonly string[], lang: Language): { name: string; caption: string; text: string } {
  const kept = newest(lines, mostFileChars)
  const caption =
    lang === 'zh'
      ? `这是我保留的本会话记录，共 ${kept.length} 条消息。`
      : `What I keep of this session: ${kept.length} ${kept.length === 1 ? 'message' : 'messages'}.`
  const text = [...noteLeft(lines.length - kept.length, lang), ...kept].join('\n\n').toWellFormed()
  return { name: 'conversation.txt', caption, text: text.slice(-mostFileChars).toWellFormed() }
}

function noteLeft(left: number, lang: Language): readonly string[] {
  const zh = `（更早的 ${left} 条太长，没有列出。）`
  const en = `(Too long for all of it: the earlier messages, ${left} of them, are left out.)`
  return left > 0 ? [lang === 'zh' ? zh : en] : []
}

/** The newest lines that fit, at least the last in part. */
function newest(lines: readonly string[], mostChars: number): readonly string[] {
  let room = mostChars
  const tooOld = lines.findLastIndex((line) => (room -= line.length + 2) < 0)
  const kept = lines.slice(tooOld + 1)
  return kept.length > 0 ? kept : lines.slice(-1).map((line) => line.slice(-mostChars))
}
