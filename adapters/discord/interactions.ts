// What people do with buttons and slash commands. A press is resolved at once and its answer tells what happened: within three seconds,
// or it is put off after one and a half and told afterwards to the presser alone. A command is shown as everybody else would have
// written it, and goes on as a message. https://docs.discord.com/developers/interactions/receiving-and-responding
import { z } from 'zod'
import type { MessageEvent } from '#shared/chat/event.ts'
import { resolvePress, type PressOutcome, type ResolveDeps } from '#adapters/press/resolve-press.ts'
import { escapeDiscord } from '#adapters/markup/to-discord.ts'
import { toLanguage } from '#adapters/events/to-language.ts'
import { toName } from './addressing.ts'
import { pingNobody, takeButtonsOff } from './deliver.ts'
import type { DcInteraction } from './payloads.ts'
import { toConversation, toChannelInfo, toPrincipal, toServer, toTimeMs, type ChannelInfo } from './ids.ts'
import { nothing, type CallResult, type RestApi } from './rest-api.ts'

export type InteractionDeps = ResolveDeps & {
  readonly api: RestApi
  /** After this long without an outcome a press is put off, ms. Discord waits 3 s. */
  readonly putOffMs: number
}

export const commandType = 2
export const pressType = 3

const messageResponse = 4
const putOffResponse = 6
const editResponse = 7
const ephemeral = 64
const suppressEmbeds = 4
const respondTimeoutMs = 5000
/** Somebody else answered this press already, or it took too long: then the card is changed by the bot instead. */
const alreadyResponded = new Set([10_062, 40_060])
/** Administrator, or Manage Server. */
const adminRights = 0x8n | 0x20n

export type BegunPress = {
  /** Resolves when it is known who won; may be called again after it threw BotError `store-unavailable`. */
  resolved(): Promise<void>
  /** Resolves when the presser has been told; never rejects. */
  readonly told: Promise<void>
}

/** Begins to resolve at once, whatever waits before it. */
export function beginPress(deps: InteractionDeps, one: DcInteraction): BegunPress {
  const told = Promise.withResolvers<void>()
  let putOff: Promise<CallResult<unknown>> | undefined
  const timer = setTimeout(() => {
    putOff = respond(deps.api, one, { type: putOffResponse })
  }, deps.putOffMs)
  const resolve = (): Promise<PressOutcome> => {
    const outcome = resolvePress(deps, toPress(one))
    outcome.catch(() => {})
    return outcome
  }
  let outcome: Promise<PressOutcome> | undefined = resolve()
  let isTold = false
  return {
    told: told.promise,
    async resolved() {
      try {
        const answer = await (outcome ??= resolve())
        if (isTold) return
        isTold = true
        clearTimeout(timer)
        tell(deps.api, { one, outcome: answer, putOff }).then(told.resolve, told.resolve)
      } catch (error) {
        outcome = undefined
        throw error
      }
    },
  }
}

function toPress(one: DcInteraction): Parameters<typeof resolvePress>[1] {
  const user = personOf(one)
  const channel = one.channel_id ?? one.channel?.id
  const info = channelInfoOf(one)
  const buttons = (one.message?.components ?? []).flatMap((row) => row.components)
  return {
    id: `dc:${one.id}`,
    data: one.data?.custom_id,
    conversation: channel && one.message ? toConversation(channel, info) : undefined,
    actor: user && toPrincipal(user.id),
    ...toServer(info),
    name: user ? toName(user, one.member?.nick) : '',
    messageId: one.message?.id,
    isAdmin: isAdmin(one),
    language: toLanguage(one.locale ?? 'en'),
    labelOf: (data) => buttons.find((button) => button.custom_id === data)?.label ?? undefined,
    nameOf: (principal) => `<@${principal.slice('discord:'.length)}>`,
  }
}

type Telling = {
  readonly one: DcInteraction
  readonly outcome: PressOutcome
  readonly putOff: Promise<CallResult<unknown>> | undefined
}

async function tell(api: RestApi, { one, outcome: answer, putOff }: Telling): Promise<void> {
  const notice = { content: answer.text, flags: ephemeral, allowed_mentions: pingNobody }
  const edit = answer.dropsButtons ? { type: editResponse, data: { components: [] } } : { type: putOffResponse }
  const first = putOff
    ? await putOff
    : await respond(api, one, answer.won ? edit : { type: messageResponse, data: notice })
  const isElsewhere = first.kind === 'refused' && alreadyResponded.has(first.code)
  if (!answer.won && (putOff || isElsewhere)) {
    const path = `/webhooks/${one.application_id}/${one.token}` as const
    await api.respond({ method: 'post', path, body: notice, shape: z.unknown() }, limit())
  }
  const isDone = answer.won && !putOff && first.kind === 'ok'
  const channel = one.message?.channel_id ?? one.channel_id
  if (answer.dropsButtons && !isDone && channel && one.message)
    await takeButtonsOff(api, { channel, message: one.message.id }, limit())
}

function respond(api: RestApi, one: DcInteraction, body: object): Promise<CallResult<unknown>> {
  const path = `/interactions/${one.id}/${one.token}/callback` as const
  return api.respond({ method: 'post', path, body, shape: nothing }, limit())
}

const limit = () => ({ timeoutMs: respondTimeoutMs, signal: new AbortController().signal })

/** The message a slash command stands for; undefined for what is none. */
export function toCommandEvent(one: DcInteraction): MessageEvent | undefined {
  const user = personOf(one)
  const channel = one.channel_id ?? one.channel?.id
  const name = one.data?.name?.toLowerCase() ?? ''
  if (!user || !channel || !/^[a-z][a-z0-9_]{0,31}$/.test(name)) return undefined
  const args = (one.data?.options ?? [])
    .map(({ value }) => String(value ?? ''))
    .join(' ')
    .trim()
  const info = channelInfoOf(one)
  return {
    v: 1,
    kind: 'message',
    id: `dc:${one.id}`,
    conversation: toConversation(channel, info),
    principal: toPrincipal(user.id),
    ...toServer(info),
    name: toName(user, one.member?.nick),
    at: toTimeMs(one.id),
    text: `/${name} ${args}`.trim(),
    addressed: true,
    group: info.kind !== 'dm',
    command: { name, args },
    language: toLanguage(one.locale ?? 'en'),
    ...(isAdmin(one) ? { senderIsAdmin: true } : {}),
  }
}

/** Shows the others what was asked; a code is not shown. Never rejects. */
export async function showCommand(api: RestApi, one: DcInteraction, event: MessageEvent): Promise<void> {
  const shown = event.command?.name === 'start' ? '/start' : event.text
  const data = { content: escapeDiscord(shown).slice(0, 1900), flags: suppressEmbeds, allowed_mentions: pingNobody }
  await respond(api, one, { type: messageResponse, data })
}

function isAdmin(one: DcInteraction): boolean {
  const rights = one.member?.permissions ?? ''
  return /^\d{1,30}$/.test(rights) && (BigInt(rights) & adminRights) !== 0n
}

function personOf(one: DcInteraction): DcInteraction['user'] {
  const user = one.member?.user ?? one.user
  return user?.bot ? undefined : user
}

function channelInfoOf(one: DcInteraction): ChannelInfo {
  if (one.guild_id === undefined) return { kind: 'dm' }
  return one.channel
    ? toChannelInfo({ ...one.channel, guild_id: one.guild_id })
    : { kind: 'guild', guild: one.guild_id }
}
