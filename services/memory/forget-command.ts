// The command /forget: of the message that is pointed at, or of what was asked last, nothing stays, nor of what was answered to it; and what is kept goes by
// its number, or by words, which ask first.
import { toPoints } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { Command, CommandInfo } from '#shared/feature/feature.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { mayChange } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { isPlain } from './as-message.ts'
import { forgetThat, isThat } from './forget-that.ts'
import { askToForget, type ForgetDeps } from './forget-words.ts'
import { forgetNumbered } from './list.ts'
import type { WrongDeps } from './wrong.ts'

const last = new Set(['last', '上一条', '最后一条'])

/** What a person can do who has not said which message. */
const howTo: Readonly<Record<ReturnType<typeof toPoints>, Localised>> = {
  reply: {
    zh: '请用 /forget 回复要忘掉的那条消息；或者写 `/forget last`，我就忘掉你上一个问题和我的回答。',
    en: 'Reply with /forget to the message I should forget, or write `/forget last` for your last question and my answer.',
  },
  button: {
    zh: '请点要忘掉的那条消息下面的“让它忘掉”；或者写 `/forget last`，我就忘掉你上一个问题和我的回答。',
    en: 'Press “Forget” below the message I should forget, or write `/forget last` for your last question and my answer.',
  },
  none: {
    zh: '写 `/forget last`，我就忘掉你上一个问题和我的回答；`/new` 则开始新会话，之前的都不带入。',
    en: 'Write `/forget last`, and I forget your last question and my answer; `/new` leaves out all that was said before.',
  },
}

export const forgetCommand: CommandInfo = {
  name: 'forget',
  help: { zh: '忘掉一条消息，或记住的事', en: 'forget a message, or what I keep' },
  more: {
    zh: '用 `/forget` 回复一条消息，就忘掉它、我对它的回答，和由它记住的。`/forget last` 忘掉上一个问题和我的回答，`/forget 3` 忘掉 `/memory` 里的第 3 条。`/forget 我的地址` 找出与这几个字有关的，问过你再忘；`/forget all` 是全部。',
    en: '`/forget` as a reply to a message forgets it, with what I answered and what I keep of it. `/forget last` forgets the last question and its answer, and `/forget 3` forgets number 3 of `/memory`. `/forget my address` finds what I keep with these words and asks before it forgets; `/forget all` is all of it.',
  },
  admins: 'may-ask',
}

export const createForget = (deps: ForgetDeps & WrongDeps): Command => ({
  ...forgetCommand,
  run: async (context) => {
    const { event, args, conversation, principal, language: lang, state } = context
    // In plain words nothing goes before its person is asked.
    if (isThat(args) && (event.replyTo === undefined || isPlain(context))) return await forgetThat(deps, context)
    const target = event.replyTo?.messageId
    const numbered = target === undefined ? await forgetNumbered(deps, context) : undefined
    if (numbered) return numbered
    if (target === undefined && !last.has(args.trim().toLowerCase())) {
      if (args.trim() !== '') return await askToForget(deps, context)
      const { zh, en } = howTo[toPoints(conversation)]
      return say(lang, zh, en)
    }
    const about = target === undefined ? state.lastAbout : [target]
    if (about.length === 0) return say(lang, '现在没有可以忘掉的问题。', 'There is no last question to forget.')
    if (event.replyTo?.fromBot && target !== undefined && !state.knows(target))
      return say(
        lang,
        '我只能忘掉别人发的消息和我对它们的回答：请用 /forget 回复那条提问。',
        'I forget messages of people, and my answers with them: reply with /forget to the question.',
      )
    // Whose the last question was nobody knows here.
    const isOwn = target !== undefined && event.replyTo?.principal === principal
    if (!isOwn && !mayChange(event.group, context))
      return say(
        lang,
        '你可以让我忘掉你自己的消息；别人的消息只有主人和管理员可以。',
        'You may have me forget your own messages. Those of others only owners and admins can.',
      )
    const gone: Effect = { kind: 'forget', about }
    if (target === undefined || state.knows(target)) return [gone, ...say(lang, '已忘掉。', 'Forgotten.')]
    // A command, or what was set aside, is in no history; timers, questions and features may keep it.
    return [
      gone,
      ...say(
        lang,
        '我的对话记录里没有这条消息；别处若还留着，也已忘掉。',
        'I did not remember that message from this talk; anything else I kept of it is forgotten.',
      ),
    ]
  },
})
