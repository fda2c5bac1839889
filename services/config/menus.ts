// Settings as menus of buttons: a card that lists them, each leading to its choices in the same message, and "done". It asks and
// decides; who may press and that one press wins is checked before anything arrives here. What a group's members may only look at is
// refused here.
import { z } from 'zod'
import { conversationId, principalId } from '#shared/chat/conversation.ts'
import { languages, type Language } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { AnswerContext, Asking, CommandContext } from '#shared/feature/feature.ts'
import { mayChoose, notAllowed, notForOthers } from '#shared/feature/rights.ts'
import type { Setting, SettingChoice } from '#shared/feature/setting.ts'
import type { Choice } from '#shared/run/question.ts'
import { isElsewhere, settingsFor, toChoose, toHeld, withCaution, withMeaning } from '#services/config/document/held.ts'

export type Menus = {
  /** The choices of one setting, below a note where there is one; a press ends the menu. */
  one(setting: Setting, context: CommandContext, note?: string): Promise<readonly Effect[]>
  /** All settings. */
  all(context: CommandContext): Promise<readonly Effect[]>
  answer(context: AnswerContext): Promise<readonly Effect[]>
}

/**
 * What a menu's question keeps: which card it is, where, who asked for it and in which language. `item` is the setting whose choices it
 * shows, absent on the card that lists all.
 */
const card = z.object({
  v: z.literal(1),
  menu: z.enum(['one', 'all']),
  item: z.string().optional(),
  asker: principalId,
  conversation: conversationId,
  group: z.boolean(),
  language: z.enum(languages).optional(),
})
type Card = z.infer<typeof card>

type View = {
  readonly card: Card
  readonly language: Language
  readonly sessionId: string
  readonly inPlace: boolean
  /** Whether who looks at it is an owner of the bot. */
  readonly owner: boolean
  readonly note?: string
  /** Id of the choice that holds. */
  holds(setting: Setting): Promise<string>
}

export function createMenus(settings: readonly Setting[]): Menus {
  const begin = (menu: Card['menu'], context: CommandContext): View => {
    const { principal, conversation, event, language, owner, state } = context
    return {
      card: { v: 1, menu, asker: principal, conversation, group: event.group },
      language,
      sessionId: state.sessionId,
      inPlace: false,
      owner,
      holds: ({ id }) => context.holds(id),
    }
  }
  return {
    one: async (setting, context, note) => [
      await askOne(setting, { ...begin('one', context), ...(note ? { note } : {}) }),
    ],
    all: async (context) => [await askAll(settings, begin('all', context))],
    answer: (context) => answer(settings, context),
  }
}

async function askOne(setting: Setting, view: View): Promise<Effect> {
  const { language } = view
  const choice = await view.holds(setting)
  const choices = setting.choices.map(({ id, label }): Choice => {
    return { id: `set-${id}`, label: id === choice ? `✓ ${label[language]}` : label[language] }
  })
  const back = view.card.menu === 'all' ? [[{ id: 'back', label: language === 'zh' ? '返回' : 'Back' }]] : []
  const held = withMeaning(toHeld(setting, choice, language), setting, { choice, language })
  const text = view.note === undefined ? held : `${view.note}\n\n${held}`
  if (choices.length < 2 || !isOpen(setting, view)) return { kind: 'send', text, inPlace: view.inPlace }
  return toCard(text, [choices, ...back], { ...view, card: { ...view.card, item: setting.id } })
}

/** More could not be read on a telephone. */
const inRow = 3

async function askAll(settings: readonly Setting[], view: View): Promise<Effect> {
  const { language } = view
  const open = settingsFor(settings, view.card)
    .filter((setting) => setting.choices.length > 1 && isOpen(setting, view))
    .map(({ id, label }): Choice => ({ id: `open-${id}`, label: label[language] }))
  const done = { id: 'done', label: language === 'zh' ? '完成' : 'Done' }
  const rows = Array.from({ length: Math.ceil(open.length / inRow) }, (_, i) => open.slice(i * inRow, (i + 1) * inRow))
  return toCard(await textOfAll(settings, view), [...rows, [done]], view)
}

function toCard(text: string, options: readonly (readonly Choice[])[], { card: at, language, inPlace }: View): Effect {
  const payload = JSON.stringify({ ...at, language })
  const asked = { question: 'menu', topic: 'menu', options, payload } as const
  return { kind: 'ask', text, ...asked, owner: at.asker, admins: true, inPlace }
}

async function answer(settings: readonly Setting[], context: AnswerContext): Promise<readonly Effect[]> {
  const { event } = context
  const { item: opened, ...at } = card.parse(JSON.parse(event.payload))
  const [verb, id] = event.choice.split('-', 2)
  const wanted = verb === 'open' ? id : opened
  const setting = settingsFor(settings, at).find(({ id: known }) => known === wanted)
  const view = toView(at, context)
  if (verb === 'done') return [{ kind: 'send', text: await textOfAll(settings, view), inPlace: true }]
  if (verb === 'open' && setting && isOpen(setting, view)) return [await askOne(setting, view)]
  const choice = verb === 'set' ? setting?.choices.find((known) => known.id === id) : undefined
  if (!setting || !choice) return [await askAll(settings, view)]
  if (!mayChoose(setting, at.group, context)) {
    const note = (setting.onlyOwners ? notForOthers : notAllowed)[view.language]
    return await leaveMenu(settings, { ...view, note })
  }
  await setting.choose?.(choice.id, event)
  const language = choice.language ?? view.language
  const after: View = {
    ...view,
    language,
    note: await toNote(setting, choice, { event, language }),
    holds: async (one) => (one === setting ? choice.id : await view.holds(one)),
  }
  return [...toChoose(setting, choice), ...(await leaveMenu(settings, after))]
}

function toView(at: Card, { state, language, holds, owner }: Asking): View {
  return {
    card: at,
    // Others may have spoken another language meanwhile; the card stays as its asker reads it, unless one was set.
    language: state.language ?? at.language ?? language,
    sessionId: state.sessionId,
    inPlace: true,
    owner,
    holds: ({ id }) => holds(id),
  }
}

/** The menu of one setting ends with what was done; that of all shows them again. */
async function leaveMenu(settings: readonly Setting[], view: View): Promise<readonly Effect[]> {
  const { note = '' } = view
  return view.card.menu === 'one' ? [{ kind: 'send', text: note, inPlace: true }] : [await askAll(settings, view)]
}

async function toNote(
  setting: Setting,
  choice: SettingChoice,
  { event, language }: Pick<AnswerContext, 'event' | 'language'>,
): Promise<string> {
  const by = toPlain(event.name || event.principal.slice(event.principal.indexOf(':') + 1))
  const held = toHeld(setting, choice.id, language)
  const note = language === 'zh' ? `${held}（由 ${by} 设定）。` : `${held}, set by ${by}.`
  const said = { choice: choice.id, language, conversation: event.conversation }
  return await withCaution(withMeaning(note, setting, said), setting, said)
}

async function textOfAll(settings: readonly Setting[], view: View): Promise<string> {
  const { language, sessionId, note } = view
  const lines = await Promise.all(
    settingsFor(settings, view.card).map(async (one) => `- ${toHeld(one, await view.holds(one), language)}`),
  )
  const session = language === 'zh' ? `- 会话：${sessionId}（/new）` : `- Session: ${sessionId} (/new)`
  return [...lines, session, ...toElsewhere(settings, view), ...(note === undefined ? [] : ['', note])].join('\n')
}

/** Where people choose what is their own. */
function toElsewhere(settings: readonly Setting[], { card: chat, language }: View): readonly string[] {
  const own = settings.filter((setting) => isElsewhere(setting, chat)).map(({ label }) => label[language])
  if (own.length === 0) return []
  return language === 'zh'
    ? [`- 你自己的设置（${own.join('、')}）：在和我的单独聊天里用 /config 设定`]
    : [`- Your own settings (${own.join(', ')}): write /config to me in our direct chat`]
}

/** What only owners choose others see in the text alone. */
const isOpen = ({ onlyOwners }: Setting, { owner }: View): boolean => !onlyOwners || owner

/** What a person typed as text: what Markdown would read as something else is escaped. */
export function toPlain(name: string): string {
  return name.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}
