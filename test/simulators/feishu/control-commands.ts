// The commands of the control endpoint. What each does is said at the function of its name in `people.ts`, `groups.ts`, `controls.ts`.
import { z } from 'zod'
import { feishuRule } from './faults.ts'
import { feishuLimits } from './limits.ts'

const person = { person: z.string() }
const at = { ...person, chat: z.string() }
const about = { ...at, message: z.string() }
const placed = { replyTo: z.string().optional(), thread: z.string().optional() }
const names = z.array(z.string())
const group = { chat: z.string(), by: z.string() }
const anything = z.record(z.string(), z.unknown())

/** What one person does. */
export const personCommand = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('person'), ...person }),
  z.strictObject({ do: z.literal('say'), ...at, ...placed, text: z.string() }),
  z.strictObject({ do: z.literal('sayAny'), ...at, ...placed, type: z.string(), content: anything }),
  z.strictObject({
    do: z.literal('send'),
    ...at,
    ...placed,
    type: z.enum(['image', 'file', 'audio', 'media', 'sticker']),
    name: z.string().optional(),
    content: z.string().optional(),
  }),
  z.strictObject({ do: z.literal('openThread'), ...at, text: z.string(), below: z.string().optional() }),
  z.strictObject({ do: z.literal('edit'), ...about, text: z.string() }),
  z.strictObject({ do: z.literal('recall'), ...about }),
  z.strictObject({ do: z.literal('press'), ...about, button: z.unknown(), isForged: z.boolean().optional() }),
  z.strictObject({ do: z.literal('react'), ...about, emoji: z.string() }),
  z.strictObject({ do: z.literal('unreact'), ...about, emoji: z.string() }),
  z.strictObject({ do: z.literal('read'), ...at }),
  z.strictObject({ do: z.literal('enter'), ...person }),
  z.strictObject({ do: z.literal('menu'), ...person, key: z.string() }),
])
export type PersonCommand = z.infer<typeof personCommand>

/** What is done to groups, to the application, to the connections. */
export const placeCommand = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('addGroup'),
    name: z.string().optional(),
    owner: z.string().optional(),
    admins: names.optional(),
    members: names.optional(),
    isTopics: z.boolean().optional(),
    hasBot: z.boolean().optional(),
  }),
  z.strictObject({ do: z.literal('addBot'), ...group }),
  z.strictObject({ do: z.literal('removeBot'), ...group }),
  z.strictObject({ do: z.literal('rename'), ...group, name: z.string() }),
  z.strictObject({ do: z.literal('disband'), ...group }),
  z.strictObject({ do: z.literal('setModerated'), chat: z.string(), isModerated: z.boolean() }),
  z.strictObject({ do: z.literal('setCardless'), chat: z.string(), isCardless: z.boolean() }),
  z.strictObject({ do: z.literal('setAdmins'), chat: z.string(), admins: names }),
  z.strictObject({ do: z.literal('setReach'), ...person, isReachable: z.boolean() }),
  z.strictObject({ do: z.literal('setContact'), ...person, isContact: z.boolean() }),
  z.strictObject({ do: z.literal('stopBot'), ...person }),
  z.strictObject({ do: z.literal('repeat'), type: z.string() }),
  z.strictObject({ do: z.literal('repeatAnew'), type: z.string(), isNewMessage: z.boolean().optional() }),
  z.strictObject({ do: z.literal('double'), type: z.string(), isDoubled: z.boolean() }),
  z.strictObject({ do: z.literal('inject'), type: z.string(), event: anything }),
  z.strictObject({
    do: z.literal('setWebhook'),
    url: z.url(),
    encryptKey: z.string().optional(),
    isSpaced: z.boolean().optional(),
  }),
  z.strictObject({ do: z.literal('useConnections') }),
  z.strictObject({ do: z.literal('silence') }),
  z.strictObject({ do: z.literal('dropConnections'), silentOnly: z.boolean().optional() }),
  z.strictObject({ do: z.literal('closeConnections'), code: z.number().int().min(1000).max(4999) }),
  z.strictObject({ do: z.literal('advance'), ms: z.number().nonnegative() }),
  z.strictObject({ do: z.literal('fault'), rule: feishuRule }),
  z.strictObject({ do: z.literal('clearFaults') }),
  z.strictObject({ do: z.literal('setLimits'), limits: feishuLimits }),
  z.strictObject({ do: z.literal('open'), gate: z.string() }),
  z.strictObject({
    do: z.literal('changeApp'),
    isEnabled: z.boolean().optional(),
    isPublished: z.boolean().optional(),
    hasBotAbility: z.boolean().optional(),
    quotaPerMonth: z.union([z.number().int(), z.literal('none')]).optional(),
    errorsIn200: z.boolean().optional(),
  }),
  z.strictObject({ do: z.literal('deny'), scopes: names }),
  z.strictObject({ do: z.literal('grant'), scopes: names }),
  z.strictObject({ do: z.literal('subscribe'), types: names }),
  z.strictObject({ do: z.literal('revokeTokens') }),
  z.strictObject({ do: z.literal('pressed'), token: z.string() }),
  z.strictObject({ do: z.literal('clearLedger') }),
])
export type PlaceCommand = z.infer<typeof placeCommand>
