// /tools: what the model can use here, and who may have it used. Owners change that, for a chat or for a person. And where a call needs a
// person's approval, the card that asks for it.
import { principalId, toChat, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { CommandContext, CommandInfo, Feature } from '#shared/feature/feature.ts'
import type { Access } from '#shared/feature/ports.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'
import type { Tool } from '#shared/model/tool.ts'
import { usualAudience } from '#shared/run/tool-right.ts'
import { callQuestion } from './answers.ts'
import type { Known } from './card.ts'
import { askedLetter, decidedLetter, unheardTimer } from './decided.ts'
import { isCovered, listForGood, revoke } from './for-good.ts'
import { raiseCards, refuseAsking, unheard, type ApprovalDeps } from './raise.ts'
import { approvalsSlice, type Approvals, type ApprovalsChange } from './slice.ts'
import { effectNames, audienceNames, more, readWish, toNotSetUp, usage, type Wish } from './words.ts'

export type ToolRightsDeps = ApprovalDeps & Pick<Access, 'toolsOfChat' | 'setToolForChat' | 'setToolForPerson'>

type Listed = Known & Pick<Tool, 'description' | 'summary'>

/** The names of tools that are there once the operator names a service, each with the setting that does. */
export type NotSetUp = ReadonlyMap<string, string>

export const toolsCommand: CommandInfo = {
  name: 'tools',
  help: {
    zh: '我能用哪些工具，谁可以用，批准过什么',
    en: 'which tools I can use, for whom, and what was approved',
  },
  more,
  topic: 'chat',
}

/** `tools` are those of all features, as they are now. */
export function createToolRightsFeature(
  deps: ToolRightsDeps,
  tools: () => readonly Listed[],
  notSetUp: NotSetUp = new Map(),
): Feature<Approvals, ApprovalsChange> {
  return {
    name: 'tool-rights',
    slice: approvalsSlice,
    commands: [{ ...toolsCommand, run: (context) => run(deps, { tools: tools(), notSetUp }, context) }],
    questions: { call: callQuestion(deps, tools) },
    timers: { [unheard]: unheardTimer },
    letters: { asked: askedLetter(deps, tools), decided: decidedLetter(deps, tools) },
    approvals: {
      covers: (slice, call, conversation) => isCovered(deps, tools(), slice, { call, conversation }),
      refuse: (slice, wish) => refuseAsking(deps, tools(), slice, wish),
    },
    ended: (turn) => (turn.awaiting.length === 0 ? [] : raiseCards(deps, tools(), turn)),
  }
}

async function run(
  deps: ToolRightsDeps,
  { tools, notSetUp }: { readonly tools: readonly Listed[]; readonly notSetUp: NotSetUp },
  context: CommandContext<Approvals>,
): Promise<readonly StepEffect<ApprovalsChange>[]> {
  const { language, conversation, owner } = context
  const [name, ...words] = context.args.trim().split(/\s+/)
  if (!name) return [{ kind: 'send', text: await list(deps, tools, context) }]
  if (name.toLowerCase() === 'revoke') return revoke(context, words[0] ?? '')
  const setting = notSetUp.get(name.toLowerCase())
  if (setting !== undefined) return [{ kind: 'send', text: toNotSetUp(name.toLowerCase(), setting, language) }]
  if (!owner)
    return say(language, '只有主人可以更改谁能用工具。', 'Only an owner can change for whom a tool may be used.')
  const tool = tools.find((one) => one.name === name.toLowerCase())
  if (!tool)
    return say(
      language,
      `没有叫 ${quoted(name)} 的工具。/tools 列出它们。`,
      `There is no tool ${quoted(name)}. /tools lists them.`,
    )
  const wish = readWish(words[0] ?? '')
  const named = words[1] ?? (wish?.for === 'chat' ? undefined : context.event.replyTo?.principal)
  const person = named === undefined ? undefined : toPerson(named, conversation)
  // A chat's audience names nobody, a person's right somebody, and who is named must be somebody.
  const fits = wish && (named === undefined ? wish.for !== 'person' : wish.for !== 'chat' && person !== undefined)
  if (!wish || !fits || words.length > 2) return [{ kind: 'send', text: usage[language] }]
  return person !== undefined
    ? await setForPerson(deps, tool, { person, wish, language })
    : await setForChat(deps, tool, { chat: toChat(conversation), wish, language })
}

async function list(
  deps: ToolRightsDeps,
  tools: readonly Listed[],
  { conversation, language, owner, slice, event }: CommandContext<Approvals>,
): Promise<string> {
  const names = tools.map((tool) => tool.name)
  const set = await deps.toolsOfChat(names, toChat(conversation))
  if (tools.length === 0) return language === 'zh' ? '我现在没有任何工具。' : 'I have no tools at present.'
  const lines = tools.map(({ name, effect, description, summary }, i) => {
    const who = audienceNames[set[i] ?? usualAudience(effect)][language]
    const does = summary?.[language] ?? description.split(/(?<=\.)\s/, 1)[0] ?? ''
    return `- **${does.replace(/[.。]$/, '')}** · \`${name}\` · ${effectNames[effect][language]} · ${who}`
  })
  const head = language === 'zh' ? '我能用的工具，以及在这里谁可以用：' : 'The tools I can use, and for whom here:'
  const forGood = listForGood(slice, { nowMs: deps.now(), language, isAlone: owner && !event.group })
  return [head, lines.join('\n'), ...forGood, ...(owner ? [usage[language]] : [])].join('\n\n')
}

async function setForChat(
  deps: ToolRightsDeps,
  { name, effect }: Listed,
  { chat, wish, language }: { readonly chat: string; readonly wish: Wish; readonly language: Language },
): Promise<readonly StepEffect<never>[]> {
  const audience = wish.for === 'chat' ? wish.audience : undefined
  await deps.setToolForChat(name, chat, audience)
  const who = audienceNames[audience ?? usualAudience(effect)][language]
  return say(language, `在这个聊天里，\`${name}\`：${who}。`, `In this chat \`${name}\` is for: ${who}.`)
}

async function setForPerson(
  deps: ToolRightsDeps,
  { name }: Listed,
  { person, wish, language }: { readonly person: PrincipalId; readonly wish: Wish; readonly language: Language },
): Promise<readonly StepEffect<never>[]> {
  const right = wish.for === 'person' ? wish.right : undefined
  await deps.setToolForPerson(name, person, right)
  if (right === 'allow')
    return say(
      language,
      `${person} 可以用 \`${name}\`，只要聊天没有关闭它。`,
      `${person} may use \`${name}\` wherever a chat has not closed it.`,
    )
  if (right === 'deny')
    return say(language, `${person} 在任何地方都不能用 \`${name}\`。`, `${person} may use \`${name}\` nowhere.`)
  return say(language, `${person} 用 \`${name}\` 按默认。`, `For ${person} \`${name}\` is as usual.`)
}

/** A number alone is somebody of this channel. */
function toPerson(named: string, conversation: string): PrincipalId | undefined {
  const id = /^\d+$/.test(named) ? `${conversation.split(':')[0] ?? ''}:${named}` : named
  return principalId.safeParse(id).success ? id : undefined
}

const quoted = (name: string): string => `"${name.slice(0, 64).replaceAll(/[`"]/g, '')}"`
