// "Forget that": what the message shows that is replied to; else what came last here, which is what was kept of this chat or what an answer was given.
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { readAll } from '#services/memory/file/read-all.ts'
import { askToForgetThis, type ForgetDeps } from './forget-words.ts'
import { toPlace } from './place.ts'
import { offerSources } from './sources.ts'
import { toFolded, toShown } from './words.ts'
import { findGiven, type WrongDeps } from './wrong.ts'

const that = /^(?:that|this|这个|那个)$/iu

export const isThat = (args: string): boolean => that.test(args.trim())

/** What came before that is not meant any more, ms. */
const latelyMs = 600_000
/** Some platforms tell when something was said in whole seconds. */
const roughMs = 1000

export async function forgetThat(
  deps: ForgetDeps & WrongDeps,
  context: CommandContext,
): Promise<readonly Effect<never>[]> {
  const { event, principal, language } = context
  const { own } = toPlace({ ...context, group: event.group })
  const { records } = await readAll(deps.memory, own)
  const mine = records.filter(({ speaker, supersededBy }) => speaker === principal && supersededBy === undefined)
  const kept = event.replyTo ? findShown(mine, event.replyTo.text) : findLast(mine, context)
  const answer = await findGiven(deps, context)
  const isSooner = answer !== undefined && kept.every(({ saidAt }) => saidAt + roughMs < answer.endedAt)
  const isMeant = event.replyTo ? kept.length === 0 : isSooner && answer.endedAt > event.at - latelyMs
  const shown = isMeant ? await offerSources(deps, context, answer?.given ?? []) : []
  if (shown.length > 0) return shown
  if (kept.length > 0) return await askToForgetThis(deps, context, kept)
  const { zh, en } = event.replyTo ? unknown.reply : unknown.last
  return say(language, zh, en)
}

const unknown = {
  last: {
    zh: '是哪一件？请说出来，例如“忘掉我的地址”。要忘掉上一个问题和我的回答，写 `/forget last`。',
    en: 'Which thing? Name it, as in “forget my address”. `/forget last` forgets your last question and my answer.',
  },
  reply: {
    zh: '那条消息里没有我记着的。要忘掉消息本身和我的回答，用 `/forget` 回复你的那条消息。',
    en: 'Nothing that I keep stands in that message. To forget the message itself and my answer, reply to your message with `/forget`.',
  },
} as const

const findShown = (mine: readonly MemoryRecord[], text = ''): readonly MemoryRecord[] =>
  mine.filter((one) => [one.text, toShown(one.text)].some((said) => toFolded(text).includes(toFolded(said))))

function findLast(mine: readonly MemoryRecord[], { event, conversation }: CommandContext): readonly MemoryRecord[] {
  const isHere = ({ from, saidAt }: MemoryRecord): boolean =>
    saidAt > event.at - latelyMs && from.some((one) => one.conversation === conversation)
  return mine
    .filter(isHere)
    .toSorted((a, b) => b.saidAt - a.saidAt)
    .slice(0, 1)
}
