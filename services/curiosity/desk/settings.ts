// What a person chooses of how they are asked, for all of their conversations.
import { createOwnSetting, type OwnSetting } from '#shared/feature/own-setting.ts'
import type { People } from '#shared/feature/ports.ts'
import type { QuietHours } from './hours.ts'

export type DeskSettings = {
  /** Whether they are asked what only they can tell. */
  readonly asks: OwnSetting<'on' | 'off'>
  /** How many cards a week come by themselves at most. */
  readonly perWeek: OwnSetting<'0' | '1' | '2'>
  readonly hours: OwnSetting<QuietHours>
}

type Choices = Pick<People, 'findChoice' | 'setChoice'>

export const createDeskSettings = (people: Choices): DeskSettings => ({
  asks: createAsks(people),
  perWeek: createPerWeek(people),
  hours: createHours(people),
})

const createAsks = (people: Choices) =>
  createOwnSetting(people, {
    id: 'curiosity',
    label: { zh: '好奇', en: 'Curiosity' },
    choices: [
      {
        id: 'on',
        label: { zh: '开', en: 'on' },
        meaning: {
          zh: '只有你能回答的，我攒起来在私聊里问你，一天最多一张卡片。',
          en: 'I collect what only you can tell, and ask in our direct chat: one card a day at most.',
        },
      },
      {
        id: 'off',
        label: { zh: '关', en: 'off' },
        meaning: { zh: '我不攒问题，也不问。', en: 'I collect no questions, and ask none.' },
      },
    ],
    usual: 'on',
  })

const createPerWeek = (people: Choices) =>
  createOwnSetting(people, {
    id: 'curiosity_week',
    label: { zh: '每周主动问', en: 'Asks by itself' },
    choices: [
      {
        id: '0',
        label: { zh: '从不', en: 'never' },
        meaning: { zh: '只在我们刚聊完时问。', en: 'I ask only when we have just talked.' },
      },
      { id: '1', label: { zh: '一次', en: 'once a week' } },
      { id: '2', label: { zh: '两次', en: 'twice a week' } },
    ],
    usual: '2',
  })

const createHours = (people: Choices) =>
  createOwnSetting(people, {
    id: 'curiosity_hours',
    label: { zh: '不打扰的时间', en: 'Quiet hours' },
    choices: [
      { id: '22_8', label: { zh: '22 点到 8 点', en: '22:00–08:00' } },
      { id: '21_9', label: { zh: '21 点到 9 点', en: '21:00–09:00' } },
      { id: '20_10', label: { zh: '20 点到 10 点', en: '20:00–10:00' } },
      { id: 'none', label: { zh: '没有', en: 'none' } },
    ],
    usual: '22_8',
  })
