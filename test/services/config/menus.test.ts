// Menus as pure steps: a command or a press in, effects out; settings that live elsewhere are made by themselves.
import { keeper } from '#shared/feature/kept.ts'
import { expect, test } from 'vitest'
import { createMenus } from '#services/config/menus.ts'
import { createAnswerButtons } from '#services/answer-buttons/answer-buttons.ts'
import { createPreferences } from '#services/preferences/preferences.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, ConversationView } from '#shared/feature/feature.ts'
import type { Setting } from '#shared/feature/setting.ts'
import { message, wonPress } from '#test/rig/events.ts'

const state: ConversationView = {
  sessionId: 'sess_1',
  language: undefined,
  exchanges: 0,
  busy: undefined,
  nameOf: () => undefined,
  questions: () => [],
  lastText: undefined,
  lastCard: undefined,
  fellOut: 0,
  summed: 0,
  lastAbout: [],
  transcript: async () => ({ lines: [], about: [] }),
  knows: () => false,
  isForgotten: () => false,
}
const base = { conversation: 'telegram:-5:7', principal: 'telegram:1' }
const held: Record<string, string> = { language: 'auto', depth: 'deep', buttons: 'on' }
const asking = {
  about: [],
  keep: keeper({ about: [] }),
  slice: undefined,
  state,
  holds: async (id: string): Promise<string> => held[id] ?? modes['telegram:-5:7'] ?? 'none',
  zone: async () => undefined,
  findArtifact: async () => undefined,
}
const command = (group: boolean): CommandContext => ({
  ...base,
  event: message({ ...base, text: '/config', group }),
  args: '',
  language: 'en',
  owner: false,
  commands: [],
  ...asking,
})

const chosen: string[] = []
const modes: Record<string, string> = { 'telegram:-5:7': 'mention' }
const mode: Setting = {
  id: 'mode',
  label: { zh: '何时回答', en: 'When I answer' },
  isFor: ({ group }) => group,
  holds: async ({ conversation }) => modes[conversation] ?? 'none',
  choices: ['mention', 'always'].map((id) => ({
    id,
    label: { zh: id, en: id },
    meaning: { zh: '', en: `It is ${id}.` },
  })),
  async choose(choice) {
    chosen.push(choice)
    modes['telegram:-5:7'] = choice
  },
}
const [languageSetting, depthSetting] = createPreferences(undefined).settings ?? []
const [buttonsSetting] = createAnswerButtons(true).settings ?? []
const menus = createMenus([languageSetting, depthSetting, mode, buttonsSetting].filter((one) => one !== undefined))

type Ask = Extract<Effect, { kind: 'ask' }>
const toAsk = (effects: readonly Effect[]): Ask => {
  const found = effects.find((effect) => effect.kind === 'ask')
  if (!found) throw new Error(`No card was asked: ${JSON.stringify(effects)}`)
  return found
}
const press = (card: Ask, choice: string, more: Partial<AnswerContext> & { admin?: boolean } = {}) => {
  expect(card.options.flat().map(({ id }) => id)).toContain(choice)
  const event = wonPress({ ...base, choice, payload: card.payload })
  const { admin = false, ...rest } = more
  const who = { ...base, owner: false, language: 'en' } as const
  return menus.answer({ ...asking, ...who, event: { ...event, senderIsAdmin: admin }, ...rest })
}

test('lists what the chat has, each with what holds', async () => {
  const inGroup = toAsk(await menus.all(command(true)))
  expect(inGroup.text).toBe(
    '- Language: automatic\n- Default depth: deep\n- When I answer: mention\n- Buttons under answers: on\n- Session: sess_1 (/new)',
  )
  expect(inGroup).toMatchObject({ owner: 'telegram:1', admins: true, inPlace: false })
  expect(toAsk(await menus.all(command(false))).text).not.toContain('When I answer')
})

test('a setting that lives elsewhere is made by itself, and the card shows it', async () => {
  const all = toAsk(await menus.all(command(true)))
  const open = toAsk(await press(all, 'open-mode'))
  expect(open.text).toBe('When I answer: mention\n\nIt is mention.')
  expect(open.options[0]?.map(({ label }) => label)).toEqual(['✓ mention', 'always'])
  const refused = await press(open, 'set-always')
  expect(chosen).toEqual([])
  expect(toAsk(refused).text).toContain('- When I answer: mention')
  expect(toAsk(refused).text).toMatch(/Only owners and admins can do this here\.$/)
  const done = await press(open, 'set-always', { admin: true })
  expect(chosen).toEqual(['always'])
  expect(done.map(({ kind }) => kind)).toEqual(['ask'])
  expect(toAsk(done).text).toContain('- When I answer: always')
  expect(toAsk(done).text).toMatch(/When I answer: always, set by 1\.\n\nIt is always\.$/)
})

test.each([
  ['open-depth', 'set-light', { setting: 'depth', choice: 'light' }],
  ['open-language', 'set-zh', { setting: 'language', choice: 'zh' }],
  ['open-buttons', 'set-off', { setting: 'buttons', choice: 'off' }],
])(
  'what %s leads to is set by everybody alone, in a group by owners and administrators',
  async (open, set, setting) => {
    const within = async (group: boolean, who: { owner?: boolean; admin?: boolean } = {}): Promise<readonly Effect[]> =>
      await press(toAsk(await press(toAsk(await menus.all(command(group))), open)), set, who)
    for (const made of [await within(false), await within(true, { owner: true }), await within(true, { admin: true })])
      expect(made[0]).toEqual({ kind: 'choose', ...setting })
    const refused = await within(true)
    expect(refused.map(({ kind }) => kind)).toEqual(['ask'])
    expect(toAsk(refused).text).toMatch(/^- Language: automatic\n- Default depth: deep\n[^]*\n\nOnly owners and admins/)
  },
)

test('depths have names in the language of the menu', async () => {
  const inChinese = { ...command(false), language: 'zh' } as const
  const card = toAsk(await menus.one(depthSetting ?? mode, inChinese))
  expect(card.text).toBe('默认深度：深入')
  expect(card.options.flat().map(({ label }) => label)).toEqual(['轻度', '标准', '✓ 深入', '自动'])
  const [, said] = await press(card, 'set-standard')
  expect(said).toMatchObject({ text: '默认深度：标准（由 1 设定）。', inPlace: true })
})

test('every button id fits into the 64 bytes that Telegram takes', async () => {
  const all = toAsk(await menus.all(command(true)))
  const cards = [all, ...(await Promise.all(['open-language', 'open-depth', 'open-mode'].map((id) => press(all, id))))]
  const ids = cards.flatMap((card) => ('kind' in card ? [card] : card).flatMap((one) => toAsk([one]).options.flat()))
  for (const { id } of ids) expect(`p00-${'a'.repeat(22)}.${id}`.length).toBeLessThanOrEqual(59)
})

test('nothing in a display name reads as Markdown', async () => {
  const open = toAsk(await press(toAsk(await menus.all(command(false))), 'open-depth'))
  const event = wonPress({ ...base, choice: 'set-light', payload: open.payload })
  const who = { ...base, owner: false, language: 'en' } as const
  const said = await menus.answer({ ...asking, ...who, event: { ...event, name: '**[a](b)** @all' } })
  expect(said[0]).toEqual({ kind: 'choose', setting: 'depth', choice: 'light' })
  expect(toAsk(said).text).toContain(String.raw`set by \*\*\[a\]\(b\)\*\* \@all.`)
})
