// What a person chooses of memory, for all of their conversations.
import { createOwnSetting, type OwnSetting } from '#shared/feature/own-setting.ts'
import type { People } from '#shared/feature/ports.ts'

export type MemorySettings = {
  /** Whether what they say is looked through for what may be worth keeping. */
  readonly notice: OwnSetting<'on' | 'off'>
  /** Whether what was noticed counts before they say so: `off` keeps it at once, as confirmed. */
  readonly confirm: OwnSetting<'on' | 'off'>
  /** How many noticed things wait before they are asked. */
  readonly askAfter: OwnSetting<'1' | '3' | '5' | '10'>
  /** Whether answers to them in groups may rest on what is kept for them alone. */
  readonly groups: OwnSetting<'on' | 'off'>
}

const on = { zh: '开', en: 'on' }
const off = { zh: '关', en: 'off' }

/** Of a chat it stands under the chat's own name (`pause.ts`). */
export const noticeId = 'memory_notice'

export const groupsId = 'memory_groups'

type Choices = Pick<People, 'findChoice' | 'setChoice'>

export const createMemorySettings = (people: Choices): MemorySettings => ({
  notice: createNotice(people),
  confirm: createConfirm(people),
  askAfter: createAskAfter(people),
  groups: createGroups(people),
})

const createNotice = (people: Choices) =>
  createOwnSetting(people, {
    id: noticeId,
    label: { zh: '留意要点', en: 'Noticing' },
    entry: { section: 'Memory', key: 'detectionEnabled' },
    choices: [
      {
        id: 'on',
        label: on,
        meaning: {
          zh: '攒够几件，我会在私聊里问要不要记。',
          en: 'When some things wait, I ask in a direct chat whether to keep them.',
        },
      },
      {
        id: 'off',
        label: off,
        meaning: {
          zh: '只记你让我记的，日志里也没有。',
          en: 'I keep what you order, and nothing else, nor in the log.',
        },
      },
    ],
    usual: 'on',
  })

const createConfirm = (people: Choices) =>
  createOwnSetting(people, {
    id: 'memory_confirm',
    label: { zh: '记忆要确认', en: 'Confirm memory' },
    entry: { section: 'Memory', key: 'confirm' },
    choices: [
      {
        id: 'on',
        label: on,
        meaning: { zh: '留意到的，你点“记住”才算数。', en: 'What I notice counts once you press Save.' },
      },
      {
        id: 'off',
        label: off,
        meaning: {
          zh: '留意到的我直接记下，只有与记着的矛盾时才问。',
          en: 'I keep what I notice, and ask only where it contradicts what is kept.',
        },
      },
    ],
    usual: 'on',
  })

const createAskAfter = (people: Choices) =>
  createOwnSetting(people, {
    id: 'memory_ask_after',
    label: { zh: '攒几件再问', en: 'Memory asks after' },
    entry: { section: 'Memory', key: 'archivePromptThreshold' },
    choices: [
      { id: '1', label: { zh: '一件', en: 'one' } },
      { id: '3', label: { zh: '三件', en: 'three' } },
      { id: '5', label: { zh: '五件', en: 'five' } },
      { id: '10', label: { zh: '十件', en: 'ten' } },
    ],
    usual: '3',
  })

const createGroups = (people: Choices) =>
  createOwnSetting(people, {
    id: groupsId,
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
  })
