// /project in a group: says which project it is bound to; owners bind it by a name, once they have seen on a card who will read what, and end that.
import { z } from 'zod'
import { toChat } from '#shared/chat/conversation.ts'
import { languages, type Language } from '#shared/chat/message.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { boundChat, mostProjectChars, type Project, type Projects } from '#shared/memory/projects.ts'
import { ofChat } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import { results, tellAsked, tellBound, texts, toShownName } from './words.ts'

type Effects = readonly StepEffect<never>[]

type Commanded = Pick<CommandContext, 'event' | 'language' | 'args' | 'owner' | 'conversation'>
type Pressed = Pick<AnswerContext, 'event' | 'owner'>

export type ProjectDeps = { readonly projects: Projects; readonly memory: Pick<MemoryStore, 'read'> }

export const projectCommand: CommandInfo = {
  name: 'project',
  help: { zh: '让几个群共用为群记住的', en: 'share what is kept for this group with others' },
  more: {
    zh: '`/project` 说这个群绑定了哪个项目，还有哪些群。主人写 `/project 阿波罗` 绑定：为这些群记住的，在每个群里都读得到，各群的管理员都能改。为个人记住的不共用。`/project 关` 取消：在这里说的归这里。',
    en: '`/project` tells which project this group is bound to, and with which other groups. An owner binds it by `/project apollo`: what is kept for each of these groups is then read in all of them, and administrators of each may change it. What I keep for people is not shared. `/project off` ends that: what was said here stays here.',
  },
  topic: 'chat',
  only: 'groups',
}

const livesMs = 3_600_000
const payload = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  bound: boundChat,
  /** What the card said: with whom it would be shared, and which project the chat would leave. */
  others: z.array(z.string()),
  leaves: z.string().exactOptional(),
})
type Payload = z.infer<typeof payload>
const off = /^(?:off|关)$/iu

export async function project(deps: ProjectDeps, context: Commanded): Promise<Effects> {
  const { event, language, args, owner, conversation } = context
  const tell = ({ zh, en }: { readonly zh: string; readonly en: string }): Effects => say(language, zh, en)
  if (!event.group) return tell(texts.direct)
  const chat = toChat(conversation)
  const wanted = args.trim()
  if (wanted !== '' && !owner) return tell(texts.owners)
  if (off.test(wanted)) return await unbind(deps, chat, language)
  const now = await deps.projects.find(chat)
  if (wanted === '') return now ? [{ kind: 'send', text: tellBound(now, { chat, language }) }] : tell(texts.none)
  const name = readName(wanted)
  if (name === undefined) return tell(texts.name)
  const found = await deps.projects.findNamed(name)
  if (found?.chats.some((one) => one.chat === chat))
    return [{ kind: 'send', text: tellBound(found, { chat, language }) }]
  const bound = { chat, project: found?.name ?? name, ...(event.title !== undefined && { title: event.title }) }
  return [await toCard(deps, { bound, now, found, language })]
}

/** Letters and digits of any script. Undefined for what is no name. */
function readName(text: string): string | undefined {
  const name = toNormalForm(text.slice(0, 4 * mostProjectChars), 'NFKC').replaceAll(/\s+/g, ' ')
  return name.length <= mostProjectChars && /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]*$/u.test(name) ? name : undefined
}

type Wish = Pick<Payload, 'bound' | 'language'> & {
  readonly now: Project | undefined
  readonly found: Project | undefined
}

async function toCard(
  { memory }: ProjectDeps,
  { bound, now, found, language }: Wish,
): Promise<Extract<StepEffect<never>, { kind: 'ask' }>> {
  const read = await memory.read(ofChat(bound.chat))
  const isChinese = language === 'zh'
  const at: Payload = { v: 1, language, bound, others: toChats(found), ...(now && { leaves: now.name }) }
  return {
    kind: 'ask',
    question: 'bind',
    text: tellAsked({ name: bound.project, now, found, count: read === 'same' ? 0 : read.count }, language),
    options: [
      [
        { id: 'bind', label: isChinese ? '绑定' : 'Bind' },
        { id: 'no', label: isChinese ? '不绑定' : 'Do not bind' },
      ],
    ],
    payload: JSON.stringify(at),
    topic: 'projects bind',
    deadlineMs: livesMs,
  }
}

const toChats = (of: Project | undefined): string[] => of?.chats.map(({ chat }) => chat) ?? []

/** Safe to repeat. What holds by now was not on the card: then it is asked anew. */
export async function answerBind(deps: ProjectDeps, context: Pressed): Promise<Effects> {
  const { projects } = deps
  const { event, owner } = context
  const { language, bound, others, leaves } = readStored('card of a project', payload, event.payload)
  const end = (text: string): Effects => [{ kind: 'send', text, inPlace: true }]
  if (event.choice !== 'bind') return end(texts.declined[language])
  if (!owner) return end(texts.owners[language])
  const [now, found] = [await projects.find(bound.chat), await projects.findNamed(bound.project)]
  // A step that comes again may find that the chat has left already.
  const isSeen = (!now || now.name === leaves) && toChats(found).join() === others.join()
  const isBound = toChats(found).includes(bound.chat)
  if (!isSeen && !isBound) return [{ ...(await toCard(deps, { bound, now, found, language })), inPlace: true }]
  const result = await projects.bind(bound, `${event.conversation} ${event.id}`)
  if (result !== 'bound') return end(results[result][language])
  const after = await projects.find(bound.chat)
  return end(after ? tellBound(after, { chat: bound.chat, language, isNew: true }) : results.elsewhere[language])
}

async function unbind({ projects }: ProjectDeps, chat: string, language: Language): Promise<Effects> {
  const now = await projects.find(chat)
  // A step that comes again may find it parted, and not all done.
  await projects.unbind(chat)
  if (!now) return say(language, texts.none.zh, texts.none.en)
  const name = toShownName(now.name)
  return say(
    language,
    `这个群不再绑定“${name}”：在这里说的归这里，其余的留在那边。\`/memory\` 里的编号可能变了。`,
    `This chat is not bound to “${name}” any more: what was said here stays here, and the rest stays there. The numbers of \`/memory\` may have changed.`,
  )
}
