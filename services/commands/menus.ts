// Settings as menus of buttons: a card that lists them, each leading to its choices in the same message, and "done". It asks and
// decides; who may press and that one press wins is checked before anything arrives here. What a group's members may only look at is
// refused here.
import { z } from 'zod'
import { conversationId, principalId, type ConversationId } from '#shared/chat/conversation.ts'
import { languages, type Language, type Localised } from '#shared/chat/message.ts'
import type { AnswerContext, CommandContext, CommandView, Effect, Setting } from '#shared/feature.ts'
import type { Choice } from '#shared/run/question.ts'
import { mayChange, notAllowed } from './group-rights.ts'

/** One setting of a chat; ids are 1–20 characters of `a-z 0-9 _`. */
export type MenuItem = {
  readonly id: string
  readonly label: Localised
  /** Left out of the menus of chats that have no such setting. */
  isFor?(chat: { readonly group: boolean }): boolean
  /** Id of the choice that holds. */
  holds(chat: { readonly state: CommandView; readonly conversation: ConversationId }): string | Promise<string>
  readonly choices: readonly MenuChoice[]
  /** Makes a choice that is no setting of the conversation's own. May be repeated. */
  choose?(choice: string, conversation: ConversationId): Promise<void>
}
export type MenuChoice = {
  readonly id: string
  readonly label: Localised
  /** Sentences, where the label does not say it all. */
  readonly meaning?: Localised
  readonly setting?: Setting
}

export type Menus = {
  /** The choices of one setting; a press ends the menu. */
  one(item: MenuItem, context: CommandContext): Promise<readonly Effect[]>
  /** All settings. */
  all(context: CommandContext): Promise<readonly Effect[]>
  answer(context: AnswerContext): Promise<readonly Effect[]>
}

/**
 * What a menu's question keeps: which card it is, where, who asked for it and in which language. `item` is absent on the card that
 * lists all.
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
  readonly state: CommandView
  readonly inPlace: boolean
  readonly note?: string
}

export function createMenus(items: readonly MenuItem[]): Menus {
  const begin = (menu: Card['menu'], { principal, conversation, event, language, state }: CommandContext): View => ({
    card: { v: 1, menu, asker: principal, conversation, group: event.group },
    language,
    state,
    inPlace: false,
  })
  return {
    one: async (item, context) => [await askOne(item, begin('one', context))],
    all: async (context) => [await askAll(items, begin('all', context))],
    answer: (context) => answer(items, context),
  }
}

async function askOne(item: MenuItem, view: View): Promise<Effect> {
  const { language } = view
  const holds = await item.holds({ ...view, ...view.card })
  const choices = item.choices.map(({ id, label }): Choice => {
    return { id: `set-${id}`, label: id === holds ? `✓ ${label[language]}` : label[language] }
  })
  const back = view.card.menu === 'all' ? [[{ id: 'back', label: language === 'zh' ? '返回' : 'Back' }]] : []
  const at = { ...view, card: { ...view.card, item: item.id } }
  return ask(withMeaning(toHeld(item, holds, language), item, { choice: holds, language }), [choices, ...back], at)
}

async function askAll(items: readonly MenuItem[], view: View): Promise<Effect> {
  const { language } = view
  const open = itemsFor(items, view).map(({ id, label }): Choice => ({ id: `open-${id}`, label: label[language] }))
  const done = { id: 'done', label: language === 'zh' ? '完成' : 'Done' }
  return ask(await textOfAll(items, view), [open, [done]], view)
}

function ask(text: string, options: readonly (readonly Choice[])[], { card: at, language, inPlace }: View): Effect {
  const payload = JSON.stringify({ ...at, language })
  const asked = { question: 'menu', topic: 'menu', options, payload } as const
  return { kind: 'ask', text, ...asked, owner: at.asker, admins: true, inPlace }
}

async function answer(items: readonly MenuItem[], context: AnswerContext): Promise<readonly Effect[]> {
  const { event, state } = context
  const { item: opened, ...at } = card.parse(JSON.parse(event.payload))
  // Others may have spoken another language meanwhile; the card stays as its asker reads it, unless one was set.
  const language = state.language ?? at.language ?? context.language
  const [verb, id] = event.choice.split('-', 2)
  const item = items.find((known) => known.id === (verb === 'open' ? id : opened))
  const view: View = { card: at, language, state, inPlace: true }
  if (verb === 'done') return [{ kind: 'send', text: await textOfAll(items, view), inPlace: true }]
  if (verb === 'open' && item) return [await askOne(item, view)]
  const choice = verb === 'set' ? item?.choices.find((known) => known.id === id) : undefined
  if (!item || !choice) return [await askAll(items, view)]
  const isAllowed = mayChange(at.group, context)
  const setting = isAllowed ? choice.setting : undefined
  if (isAllowed) await item.choose?.(choice.id, event.conversation)
  const spoken = isAllowed ? toSpoken(choice, language) : language
  const note = isAllowed ? toNote(item, choice, { event, language: spoken }) : notAllowed[spoken]
  const set: Effect[] = setting ? [{ kind: 'set', setting }] : []
  if (at.menu === 'one') return [...set, { kind: 'send', text: note, inPlace: true }]
  const after = setting ? withSetting(state, setting) : state
  return [...set, await askAll(items, { ...view, language: spoken, state: after, note })]
}

/** The language to go on in once the choice is made. */
export function toSpoken({ setting }: MenuChoice, language: Language): Language {
  return setting?.name === 'language' && setting.value ? setting.value : language
}

/** Setting and choice, without a full stop. */
export function toHeld(item: MenuItem, choice: string, language: Language): string {
  const label = item.choices.find(({ id }) => id === choice)?.label[language] ?? choice
  return `${item.label[language]}${language === 'zh' ? '：' : ': '}${label}`
}

type Said = { readonly choice: string; readonly language: Language }

/** And what the choice means, where its label does not say it all. */
export function withMeaning(text: string, item: MenuItem, { choice, language }: Said): string {
  const meaning = item.choices.find(({ id }) => id === choice)?.meaning
  return meaning ? `${text}\n\n${meaning[language]}` : text
}

function toNote(
  item: MenuItem,
  choice: MenuChoice,
  { event, language }: Pick<AnswerContext, 'event' | 'language'>,
): string {
  const by = toPlain(event.name || event.principal.slice(event.principal.indexOf(':') + 1))
  const held = toHeld(item, choice.id, language)
  const note = language === 'zh' ? `${held}（由 ${by} 设定）。` : `${held}, set by ${by}.`
  return withMeaning(note, item, { choice: choice.id, language })
}

async function textOfAll(items: readonly MenuItem[], view: View): Promise<string> {
  const { language, state, note } = view
  const lines = await Promise.all(itemsFor(items, view).map(async (item) => `- ${await line(item, view)}`))
  const session = language === 'zh' ? `- 会话：${state.sessionId}（/new）` : `- Session: ${state.sessionId} (/new)`
  return [...lines, session, ...(note === undefined ? [] : ['', note])].join('\n')
}

async function line(item: MenuItem, view: View): Promise<string> {
  return toHeld(item, await item.holds({ ...view, ...view.card }), view.language)
}

function itemsFor(items: readonly MenuItem[], view: View): readonly MenuItem[] {
  return items.filter((item) => item.isFor?.(view.card) ?? true)
}

/** The view as it will be once the setting is made. */
function withSetting(state: CommandView, setting: Setting): CommandView {
  switch (setting.name) {
    case 'language':
      return { ...state, language: setting.value }
    case 'depth':
      return { ...state, depth: setting.value }
    case 'resize':
      return { ...state, resize: setting.value }
    case 'session':
    case 'forget':
      return state
    default:
      return setting satisfies never
  }
}

/** A display name as text: what Markdown would read as something else is escaped. */
function toPlain(name: string): string {
  return name.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}
