// Settings as menus of buttons: a card that lists them, each leading to its choices in the same message, and "done". It asks and
// decides; who may press and that one press wins is checked before anything arrives here.
import { z } from 'zod'
import { depths } from '#shared/chat/decision.ts'
import type { AnswerContext, CommandContext, CommandView, Effect, Setting } from '#shared/feature.ts'
import { principalId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Choice } from '#shared/run/question.ts'

/** One setting of a chat; ids are 1–20 characters of `a-z 0-9 _`. */
export type MenuItem = {
  readonly id: string
  readonly label: Localised
  /** Id of the choice that holds. */
  holds(state: CommandView): string
  readonly choices: readonly { readonly id: string; readonly label: Localised; readonly setting: Setting }[]
}

const same = (text: string): Localised => ({ zh: text, en: text })
const automatic: Localised = { zh: '自动', en: 'automatic' }

export const languageItem: MenuItem = {
  id: 'language',
  label: { zh: '语言', en: 'Language' },
  holds: (state) => state.language ?? 'auto',
  choices: [
    { id: 'zh', label: same('中文'), setting: { name: 'language', value: 'zh' } },
    { id: 'en', label: same('English'), setting: { name: 'language', value: 'en' } },
    { id: 'auto', label: automatic, setting: { name: 'language', value: undefined } },
  ],
}
export const depthItem: MenuItem = {
  id: 'depth',
  label: { zh: '默认深度', en: 'Default depth' },
  holds: (state) => state.depth ?? 'auto',
  choices: [
    ...depths.map((depth) => ({ id: depth, label: same(depth), setting: { name: 'depth', value: depth } as const })),
    { id: 'auto', label: same('auto'), setting: { name: 'depth', value: undefined } },
  ],
}
export const resizeItem: MenuItem = {
  id: 'resize',
  label: { zh: '回答下的按钮', en: 'Buttons under answers' },
  holds: (state) => (state.resize ? 'on' : 'off'),
  choices: [
    { id: 'on', label: { zh: '开', en: 'on' }, setting: { name: 'resize', value: true } },
    { id: 'off', label: { zh: '关', en: 'off' }, setting: { name: 'resize', value: false } },
  ],
}

/** What a menu's question keeps: which card it is, and who asked for it. `item` is absent on the card that lists all. */
const place = z.object({
  v: z.literal(1),
  menu: z.enum(['one', 'all']),
  item: z.string().optional(),
  asker: principalId,
})
type Place = z.infer<typeof place>

export type Menus = {
  /** The choices of one setting; a press ends the menu. */
  one(item: MenuItem, context: CommandContext): readonly Effect[]
  /** All settings; `more` are lines without buttons. */
  all(context: CommandContext): readonly Effect[]
  answer(context: AnswerContext): readonly Effect[]
}

export function createMenus(items: readonly MenuItem[]): Menus {
  return {
    one: (item, { principal, language, state }) => [
      askOne(item, { v: 1, menu: 'one', item: item.id, asker: principal }, { language, state }),
    ],
    all: ({ principal, language, state }) => [askAll(items, principal, { language, state })],
    answer: (context) => answer(items, context),
  }
}

type View = {
  readonly language: Language
  readonly state: CommandView
  readonly inPlace?: boolean
  readonly note?: string
}

function askOne(item: MenuItem, at: Place, { language, state, inPlace = false }: View): Effect {
  const holds = item.holds(state)
  const choices = item.choices.map(({ id, label }): Choice => {
    return { id: `set-${id}`, label: id === holds ? `✓ ${label[language]}` : label[language] }
  })
  const back = at.menu === 'all' ? [[{ id: 'back', label: language === 'zh' ? '返回' : 'Back' }]] : []
  return ask({ text: line(item, state, language), options: [choices, ...back], at, inPlace })
}

function askAll(items: readonly MenuItem[], asker: PrincipalId, view: View): Effect {
  const { language, inPlace = false } = view
  const open = items.map(({ id, label }): Choice => ({ id: `open-${id}`, label: label[language] }))
  const options = [open, [{ id: 'done', label: language === 'zh' ? '完成' : 'Done' }]]
  return ask({ text: textOfAll(items, view), options, at: { v: 1, menu: 'all', asker }, inPlace })
}

function textOfAll(items: readonly MenuItem[], { language, state, note }: View): string {
  const lines = items.map((item) => `- ${line(item, state, language)}`)
  const session = language === 'zh' ? `- 会话：${state.sessionId}（/new）` : `- Session: ${state.sessionId} (/new)`
  return [...lines, session, ...(note === undefined ? [] : ['', note])].join('\n')
}

function ask(card: { text: string; options: readonly (readonly Choice[])[]; at: Place; inPlace: boolean }): Effect {
  const { text, options, at, inPlace } = card
  const payload = JSON.stringify(at)
  return { kind: 'ask', question: 'menu', text, options, payload, owner: at.asker, admins: true, inPlace }
}

function answer(items: readonly MenuItem[], { event, language, state }: AnswerContext): readonly Effect[] {
  const at = place.parse(JSON.parse(event.payload))
  const [verb, id] = event.choice.split('-', 2)
  const item = items.find((known) => known.id === (verb === 'open' ? id : at.item))
  const view = { language, state, inPlace: true }
  if (verb === 'open' && item) return [askOne(item, { ...at, item: item.id }, view)]
  const choice = verb === 'set' ? item?.choices.find((known) => known.id === id) : undefined
  if (verb === 'done') return [{ kind: 'send', text: textOfAll(items, view), inPlace: true }]
  if (!item || !choice) return [askAll(items, at.asker, view)]
  const { setting } = choice
  const spoken = setting.name === 'language' && setting.value ? setting.value : language
  const by = toPlain(event.name || event.principal.slice(event.principal.indexOf(':') + 1))
  const held = `${item.label[spoken]}${spoken === 'zh' ? '：' : ': '}${choice.label[spoken]}`
  const note = spoken === 'zh' ? `${held}（由 ${by} 设定）。` : `${held}, set by ${by}.`
  const set: Effect = { kind: 'set', setting }
  if (at.menu === 'one') return [set, { kind: 'send', text: note, inPlace: true }]
  return [set, askAll(items, at.asker, { language: spoken, state: withSetting(state, setting), inPlace: true, note })]
}

function line(item: MenuItem, state: CommandView, language: Language): string {
  const holds = item.holds(state)
  const label = item.choices.find(({ id }) => id === holds)?.label[language] ?? holds
  return `${item.label[language]}${language === 'zh' ? '：' : ': '}${label}`
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
