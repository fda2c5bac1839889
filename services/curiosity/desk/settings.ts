// What a person chooses of how they are asked, for all of their conversations.
import type { Localised } from '#shared/chat/message.ts'
import { createOwnSetting, type OwnSetting } from '#shared/feature/own-setting.ts'
import type { People } from '#shared/feature/ports.ts'
import { quietHours, quietHoursId, type QuietHours } from '#shared/desk/hours.ts'

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
    label: { zh: '没在聊时每周问', en: 'Cards when we have not just talked' },
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
    id: quietHoursId,
    label: { zh: '不打扰的时间', en: 'Quiet hours' },
    choices: quietHours.map((id) => ({ id, label: toLabel(id) })),
    usual: '22_8',
  })

function toLabel(hours: QuietHours): Localised {
  if (hours === 'none') return { zh: '没有', en: 'none' }
  const [from = '', to = ''] = hours.split('_')
  return { zh: `${from} 点到 ${to} 点`, en: `${toClock(from)}–${toClock(to)}` }
}

const toClock = (hour: string): string => `${hour.padStart(2, '0')}:00`
