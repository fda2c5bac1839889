// /questions: what is open here, and what is to be asked some day; `now` asks it.
import type { Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import type { TellOpen } from './ports.ts'
import { bringNow, findAll } from './bring.ts'
import { wantsCards, type MomentDeps } from './moment.ts'

export const questionsCommand: CommandInfo = {
  name: 'questions',
  help: { zh: '等你回答的问题、等你批准的操作', en: 'questions and approvals that wait for you' },
  more: {
    zh: '列出这个聊天里等你回答的问题和等你批准的操作。请在卡片上回答：点按钮，或回复那张卡片；每张卡片都写明到期限没有人回答会怎样。别的聊天里的，请在那里用 `/questions` 查看；私下的问题和要由主人批准的操作，在与我的私聊里。在私聊里还会列出我以后想问你的；`/questions now` 马上就问。',
    en: 'Lists the questions and the calls to be approved that wait for you in this chat. Answer on the card, by a button or by a reply to it; each card says what silence until its deadline brings. What waits in another chat is listed by `/questions` there; what is private, and what an owner is to approve, waits in the direct chat with me. There `/questions` also lists what I would like to know from you some day, and `/questions now` asks it at once.',
  },
}

/** By the operator's settings. */
export const off = {
  zh: '这里没有开启好奇心（运营者的设置）：我不攒问题，也不会自己来问。',
  en: 'Curiosity is off here, by the settings of whoever runs me: I collect no questions, and none of them come by card.',
} as const satisfies Localised

const now = /^(?:now|现在|马上)$/iu

export async function runQuestions(
  deps: MomentDeps & { readonly tellOpen: TellOpen; readonly isOff: boolean },
  context: CommandContext,
): Promise<readonly StepEffect<never>[]> {
  const isNow = now.test(context.args.trim())
  const waiting = context.event.group ? [] : await findAll(deps, context.principal)
  // What is not asked now is not promised.
  if (!isNow) return deps.tellOpen(context, (await wantsCards(deps, context.principal)) ? waiting : [])
  if (deps.isOff && waiting.length === 0) return say(context.language, off.zh, off.en)
  return (await tellWhyNot(deps, context)) ?? (await bringNow(deps, context))
}

/** Undefined where they may be asked. */
async function tellWhyNot(
  { settings, isQuiet }: MomentDeps,
  { principal, language, owner }: CommandContext,
): Promise<readonly StepEffect<never>[] | undefined> {
  if (await isQuiet())
    return owner
      ? say(
          language,
          '有主人让我谁都不问。先用 `/curiosity start all` 恢复。',
          'An owner has stopped my questions for everybody. Lift that by `/curiosity start all` first.',
        )
      : say(
          language,
          '主人让我暂时谁都不问。主人恢复以后再试。',
          'An owner has me ask nobody for now. Try again when an owner has lifted that.',
        )
  if ((await settings.asks.find(principal)) === 'off')
    return say(
      language,
      '你让我不要问你。先用 `/curiosity on` 恢复。',
      'You have me ask you nothing. Lift that by `/curiosity on` first.',
    )
  return undefined
}
