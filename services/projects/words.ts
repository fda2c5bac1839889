// What is said of projects: who reads what, before and after a chat is bound.
import type { Language, Localised } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { mostChats, mostProjectChars, type Binding, type BoundChat, type Project } from '#shared/memory/projects.ts'

const mostTitleChars = 60

export const texts = {
  direct: {
    zh: '项目只绑定群。为你个人记住的从不绑定，别的群读不到。',
    en: 'Groups alone are bound to a project. What I keep for you as a person is never bound, and no group reads it that way.',
  },
  owners: {
    zh: '只有机器人的主人可以绑定群或取消绑定。',
    en: 'Only the bot’s owners bind a group, and end that.',
  },
  none: {
    zh: '这个群没有绑定项目。主人写 `/project` 加一个名字就能绑定。',
    en: 'This chat is bound to no project. An owner binds it by `/project` and a name.',
  },
  name: {
    zh: `项目的名字最多 ${mostProjectChars} 个字符，只用文字、数字、空格、点、\`-\` 和 \`_\`，以文字或数字开头。`,
    en: `A project’s name has at most ${mostProjectChars} characters: letters, digits, blanks, dots, \`-\` and \`_\`, a letter or digit first.`,
  },
  declined: { zh: '好，没有绑定。', en: 'All right, nothing is bound.' },
} as const satisfies Readonly<Record<string, Localised>>

export const results: Readonly<Record<Exclude<Binding, 'bound'>, Localised>> = {
  'too-many': {
    zh: `没有绑定：一个项目最多 ${mostChats} 个群。`,
    en: `Nothing is bound: a project has at most ${mostChats} chats.`,
  },
  full: {
    zh: '没有绑定：这些群记住的加起来太多了。先用 `/forget` 忘掉一些。',
    en: 'Nothing is bound: these chats together keep more than there is room for. Have me `/forget` some of it first.',
  },
  often: {
    zh: '没有绑定：这个群今天已绑定过很多次。明天再试。',
    en: 'Nothing is bound: this chat was bound many times today. Try again tomorrow.',
  },
  elsewhere: {
    zh: '没有绑定：这期间别人改了绑定。`/project` 看现在是什么。',
    en: 'Nothing is bound: somebody else changed it meanwhile. `/project` tells what holds now.',
  },
}

export const toShownName = (name: string): string => toInertLine(name, mostProjectChars)

type Bound = { readonly chat: string; readonly language: Language; readonly isNew?: boolean }

/** What a chat is bound to, and with whom. */
export function tellBound({ name: project, chats }: Project, { chat, language, isNew = false }: Bound): string {
  const others = chats.filter((one) => one.chat !== chat)
  const name = toShownName(project)
  const isChinese = language === 'zh'
  const head = isChinese
    ? `这个群${isNew ? '现在' : ''}绑定了项目“${name}”。`
    : `This chat is ${isNew ? 'now ' : ''}bound to the project “${name}”.`
  const alone = isChinese ? '还没有别的群绑定它。' : 'No other chat is bound to it yet.'
  const shared = isChinese
    ? '为这些群记住的，在每个群里都读得到，各群的管理员都能改。别的群：'
    : 'What is kept for each of its chats is read in all of them, and administrators of each may change it. The others:'
  const numbers = isChinese ? '`/memory` 里的编号可能变了。' : 'The numbers of `/memory` may have changed.'
  const end = isChinese ? '主人用 `/project 关` 取消。' : 'An owner ends it by `/project off`.'
  const tail = isNew ? `${numbers}${isChinese ? '' : ' '}${end}` : end
  return [head, ...(others.length === 0 ? [alone] : [shared, ...toList(others)]), tail].join('\n')
}

/** A line behind a list would be read as its last item's. */
const toList = (chats: readonly BoundChat[]): readonly string[] =>
  chats.length === 0 ? [] : ['', ...chats.map(tellChat), '']

/** `- **Rocket team** (`telegram:-1001`)`. */
function tellChat({ chat, title = '' }: BoundChat): string {
  const shown = toInertLine(title, mostTitleChars)
  return shown === '' ? `- \`${chat}\`` : `- **${shown}** (\`${chat}\`)`
}

type Asked = {
  readonly name: string
  /** What the chat is bound to until then. */
  readonly now: Project | undefined
  readonly found: Project | undefined
  /** How much is kept in the chat. */
  readonly count: number
}

/** Before it is bound: what will be read by whom. */
export function tellAsked({ name: project, now, found, count }: Asked, language: Language): string {
  const name = toShownName(project)
  const { chats = [], count: there = 0 } = found ?? {}
  if (language === 'zh')
    return [
      `要把这个群绑定到项目“${name}”吗？`,
      `为这个群记住的${now ? '' : `（${count} 条）`}，以后在“${name}”的所有群里都读得到，各群的管理员都能改。${chats.length === 0 ? '现在还没有别的群。' : `现在别的群有 ${chats.length} 个，它们记住的 ${there} 条在这里也读得到：`}`,
      ...toList(chats),
      ...(now ? [`它会先离开“${toShownName(now.name)}”，带走在这里说的。`] : []),
      '为个人记住的、权限和设置都不共用。',
    ].join('\n')
  const others = chats.length === 1 ? 'one other' : `${chats.length} others`
  return [
    `Shall I bind this chat to the project “${name}”?`,
    `What this chat keeps${now ? '' : ` (${tellCount(count)})`} is then read in all chats of “${name}”, ${chats.length === 0 ? 'now no other' : `now ${others}`}; administrators of each may change it.${chats.length === 0 ? '' : ` What the others keep (${tellCount(there)}) is read here, too:`}`,
    ...toList(chats),
    ...(now ? [`It leaves “${toShownName(now.name)}” first, and takes along what was said here.`] : []),
    'What I keep for people, rights and settings are not shared.',
  ].join('\n')
}

const tellCount = (count: number): string => (count === 1 ? 'one thing' : `${count} things`)
