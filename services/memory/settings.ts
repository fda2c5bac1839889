// What a person chooses of memory, for all of their conversations.
import { createOwnSetting, type OwnSetting } from '#shared/feature/own-setting.ts'
import type { People } from '#shared/feature/ports.ts'

export type MemorySettings = {
  /** Whether what they say is looked through for what may be worth keeping. */
  readonly notice: OwnSetting<'on' | 'off'>
  /** Whether answers to them in groups may rest on what is kept for them alone. */
  readonly groups: OwnSetting<'on' | 'off'>
}

const on = { zh: '开', en: 'on' }
const off = { zh: '关', en: 'off' }

export const createMemorySettings = (people: Pick<People, 'findChoice' | 'setChoice'>): MemorySettings => ({
  notice: createOwnSetting(people, {
    id: 'memory_notice',
    label: { zh: '留意要点', en: 'Noticing' },
    entry: { section: 'Memory', key: 'detectionEnabled' },
    choices: [
      {
        id: 'on',
        label: on,
        meaning: {
          zh: '攒够三件，我会在私聊里问要不要记。',
          en: 'When three things wait, I ask in a direct chat whether to keep them.',
        },
      },
      { id: 'off', label: off, meaning: { zh: '只记你让我记的。', en: 'I keep what you order, and nothing else.' } },
    ],
    usual: 'on',
  }),
  groups: createOwnSetting(people, {
    id: 'memory_groups',
    label: { zh: '群里用记忆', en: 'Memory in groups' },
    entry: { section: 'Memory', key: 'usedInGroups' },
    choices: [
      {
        id: 'on',
        label: on,
        meaning: {
          zh: '在群里回答你时，我可能用到只为你记的，别人也会看到。',
          en: 'When I answer you in a group, I may use what I keep for you alone, and others see it.',
        },
      },
      {
        id: 'off',
        label: off,
        meaning: { zh: '为你记的只在私聊里用。', en: 'What I keep for you is used in direct chats alone.' },
      },
    ],
    usual: 'off',
  }),
})
