// /link on one account gives a code; /link with that code on the other asks there, and then on the first: both have to say yes.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, CommandInfo, LetterContext } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { account, type Account, type Accounts, type LinkCodes, type Linking } from '#shared/memory/accounts.ts'
import { mostAccounts, ofPerson } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import { shares, tellAccount, tellCount } from './words.ts'

type Effects = readonly StepEffect<never>[]

export type LinkDeps = {
  readonly accounts: Accounts
  readonly linkCodes: LinkCodes
  readonly memory: Pick<MemoryStore, 'read'>
}

export const linkCommand: CommandInfo = {
  name: 'link',
  help: { zh: '关联你在别处的账号，共用记忆', en: 'share my memory of you with another account of yours' },
  more: {
    zh: '`/link` 给你一个十分钟内有效的一次性代码。在你另一个账号上与我私聊，写 `/link` 加这个代码；两边都确认后，我为你记住的两边都能用。`/unlink` 取消关联。',
    en: '`/link` gives you a one-time code for ten minutes. On your other account, in a direct chat with me, write `/link` and that code. Once you confirm on both, what I keep for you is there on both. `/unlink` ends that.',
  },
  only: 'direct',
}

const livesMs = 600_000
const linked = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  /** Who gave the code, and who typed it. */
  gave: account,
  typed: account,
  id: z.string().regex(/^[a-z0-9]{1,40}$/),
})
type Linked = z.infer<typeof linked>

const toAccount = ({ principal, conversation, event }: CommandContext): Account => ({
  principal,
  conversation,
  ...(event.name !== undefined && { name: event.name }),
})

export async function link(deps: LinkDeps, context: CommandContext): Promise<Effects> {
  const { args, event, language } = context
  const code = args.trim()
  if (event.group) {
    if (code !== '') await deps.linkCodes.burn(code)
    return code === ''
      ? say(language, '关联账号只能在与我的私聊里做。', 'Accounts are linked in a direct chat with me.')
      : say(
          language,
          '这里别人也看得到，所以这个代码已作废。请在私聊里用 `/link` 重新取一个。',
          'Others can read this chat, so that code holds no more. Get a new one by `/link` in a direct chat with me.',
        )
  }
  return code === '' ? await giveCode(deps, context) : await typeCode(deps, context, code)
}

async function giveCode({ accounts, linkCodes }: LinkDeps, context: CommandContext): Promise<Effects> {
  const { language, principal } = context
  const others = (await accounts.find(principal)).filter((one) => one.principal !== principal)
  if (others.length + 1 >= mostAccounts)
    return say(
      language,
      `已关联 ${mostAccounts} 个账号，不能再多了。先用 \`/unlink\` 取消一个。`,
      `${mostAccounts} accounts are linked, which is as many as can be. End one link by \`/unlink\` first.`,
    )
  const code = await linkCodes.make(toAccount(context))
  const known = tellLinked(others, language)
  const isChinese = language === 'zh'
  const text = isChinese
    ? `在你的另一个账号上与我私聊，写：\n\`\`\`\n/link ${code}\n\`\`\`\n十分钟内有效，只能用一次。不要给别人看：拿到它的人可以请求共用我为你记住的一切。`
    : `On your other account, in a direct chat with me, write:\n\`\`\`\n/link ${code}\n\`\`\`\nIt holds for ten minutes and works once. Show it to nobody: whoever has it can ask to share what I keep for you.`
  return [{ kind: 'send', text: known === '' ? text : `${known}\n\n${text}` }]
}

const tellLinked = (others: readonly Account[], language: Language): string => {
  if (others.length === 0) return ''
  const lines = others.map((one) => `- ${tellAccount(one, language)}`)
  const head = language === 'zh' ? '与这个账号关联的：' : 'Linked with this account:'
  return [head, ...lines].join('\n')
}

async function typeCode(deps: LinkDeps, context: CommandContext, code: string): Promise<Effects> {
  const { language, principal, event, conversation } = context
  const used = await deps.linkCodes.use(code, { principal, event: `${conversation} ${event.id}` })
  if (used.kind === 'locked')
    return say(
      language,
      '输错太多次了。十分钟后再试。',
      'Too many wrong codes came from this account. Try again in ten minutes.',
    )
  if (used.kind === 'often')
    return say(
      language,
      '这两个账号中的一个今天已关联过很多次。明天再试。',
      'One of these two accounts was linked many times today. Try again tomorrow.',
    )
  if (used.kind === 'wrong')
    return say(
      language,
      '这个代码不对、已过期或已用过。请在另一个账号上用 `/link` 重新取一个。',
      'That code is wrong, too old or used. Get a new one by `/link` on your other account.',
    )
  if (used.account.principal === principal)
    return say(
      language,
      '这个代码就是这个账号的。请在你的另一个账号上写它。',
      'That code is of this very account. Write it on your other account. It is used up now: `/link` gives a new one.',
    )
  const at: Linked = { v: 1, language, gave: used.account, typed: toAccount(context), id: used.id }
  return [toCard('enter', at, { other: at.gave, language, counts: await countBoth(deps, at) })]
}

type Counts = { readonly gave: number; readonly typed: number }

async function countBoth({ memory }: LinkDeps, { gave, typed }: Linked): Promise<Counts> {
  const count = async ({ principal }: Account): Promise<number> => {
    const read = await memory.read(ofPerson(principal))
    return read === 'same' ? 0 : read.count
  }
  return { gave: await count(gave), typed: await count(typed) }
}

type How = { readonly other: Account; readonly language: Language; readonly counts: Counts }

function toCard(question: 'enter' | 'accept', at: Linked, { other, language, counts }: How): StepEffect<never> {
  const [here, there] = question === 'enter' ? [counts.typed, counts.gave] : [counts.gave, counts.typed]
  const isChinese = language === 'zh'
  const head = isChinese
    ? `把这个账号与${tellAccount(other, language)}关联吗？这边记着的：${tellCount(here, language)}；那边：${tellCount(there, language)}。`
    : `Shall I link this account with ${tellAccount(other, language)}? I keep ${tellCount(here, language)} here and ${tellCount(there, language)} there.`
  const warned =
    question === 'enter'
      ? ''
      : isChinese
        ? '\n那个账号输入了你的代码。如果不是你，请按“不关联”。'
        : '\nThat account typed your code. If that was not you, press “Do not link”.'
  return {
    kind: 'ask',
    question,
    text: `${head}${warned}\n\n${shares[language]}`,
    options: [
      [
        { id: 'link', label: isChinese ? '关联' : 'Link' },
        { id: 'no', label: isChinese ? '不关联' : 'Do not link' },
      ],
    ],
    payload: JSON.stringify({ ...at, language }),
    topic: 'accounts link',
    deadlineMs: livesMs,
    about: [],
  }
}

const end = (text: string): StepEffect<never> => ({ kind: 'send', text, inPlace: true, about: [] })

/** Where the code was typed. */
export function answerEnter({ event }: AnswerContext): Promise<Effects> {
  const at = readStored('card of a link', linked, event.payload)
  const { language, gave } = at
  const isChinese = language === 'zh'
  if (event.choice !== 'link')
    return Promise.resolve([end(isChinese ? '好，没有关联。' : 'All right, nothing is linked.')])
  const text = isChinese
    ? `好。现在请到${tellAccount(gave, language)}那边确认：卡片已发过去，十分钟内有效。`
    : `Now confirm it there, as ${tellAccount(gave, language)}: a card came, and it holds for ten minutes.`
  return Promise.resolve([
    end(text),
    { kind: 'letter', to: gave.conversation, letter: 'accept', payload: JSON.stringify(at) },
  ])
}

/** Where the code was given. */
export async function askToAccept(deps: LinkDeps, { event, language }: LetterContext): Promise<Effects> {
  const at = readStored('letter of a link', linked, event.payload)
  if (event.from !== at.typed.conversation) return []
  const card = toCard('accept', at, { other: at.typed, language, counts: await countBoth(deps, at) })
  return card.kind === 'ask' ? [{ ...card, owner: at.gave.principal }] : []
}

export async function answerAccept({ accounts }: LinkDeps, { event }: AnswerContext): Promise<Effects> {
  const at = readStored('card of a link', linked, event.payload)
  const { language, gave, typed, id } = at
  const result = event.choice === 'link' ? await accounts.link(gave, typed, id) : 'declined'
  return [
    end(tellEnd(result, { other: typed, language })),
    { kind: 'letter', to: typed.conversation, letter: 'told', payload: JSON.stringify({ result, other: gave }) },
  ]
}

const results = ['linked', 'both-linked', 'too-many', 'full', 'ended', 'declined'] as const satisfies readonly (
  | Linking
  | 'declined'
)[]
const told = z.object({ result: z.enum(results), other: account })

/** Where the code was typed. */
export function tellResult({ event, language }: LetterContext): Promise<Effects> {
  const { result, other } = readStored('letter of a link', told, event.payload)
  return Promise.resolve([{ kind: 'send', text: tellEnd(result, { other, language }) }])
}

function tellEnd(
  result: (typeof results)[number],
  { other, language }: { readonly other: Account; readonly language: Language },
): string {
  const name = tellAccount(other, language)
  const texts = {
    linked: {
      zh: `已与${name}关联：我为你记住的，两边现在共用，\`/memory\` 里的编号可能变了。\`/unlink\` 取消。`,
      en: `This account is linked with ${name}. What I keep for you is the same on both now, and the numbers of \`/memory\` may have changed. \`/unlink\` ends it.`,
    },
    'both-linked': {
      zh: `没有关联：这个账号和${name}都已与别的账号关联。先在其中一个上用 \`/unlink\`。`,
      en: `Nothing is linked: this account and ${name} are each linked with others already. Write \`/unlink\` on one of them first.`,
    },
    'too-many': {
      zh: `没有关联：一个人最多 ${mostAccounts} 个账号。`,
      en: `Nothing is linked: a person has at most ${mostAccounts} accounts.`,
    },
    full: {
      zh: '没有关联：两边记住的加起来太多了。先用 `/forget` 忘掉一些。',
      en: 'Nothing is linked: both together keep more than there is room for. Have me `/forget` some of it first.',
    },
    ended: {
      zh: '没有关联：这次关联已经取消了。用 `/link` 重新取一个代码。',
      en: 'Nothing is linked: this link was ended already. `/link` gives a new code.',
    },
    declined: {
      zh: `没有与${name}关联：那边选了不关联。`,
      en: `Nothing is linked with ${name}: “Do not link” was pressed.`,
    },
  } as const
  return texts[result][language]
}
