// What a refused call or a closed gateway means for the operator, in plain words with the fix.
import { explainBy, toRefusalText, untilSomebodyActsMs, type Trouble } from '#adapters/calls/trouble.ts'
import { oddResponse, type Status } from './rest-api.ts'

const wrongToken =
  'Discord refuses the token. Set DISCORD_BOT_TOKEN to the one on the Bot page of this application in the developer portal.'

const rightRoot = 'leave DISCORD_API_ROOT out, or set it to https://discord.com/api, without a version at its end'

export const toTrouble = explainBy<Status>({
  name: 'Discord',
  api: 'its interface',
  oddResponse,
  root: 'DISCORD_API_ROOT',
  rightRoot,
  ofRefusal(refused) {
    const { status, code, reason } = refused
    if (status === 401) return { text: wrongToken, leastMs: untilSomebodyActsMs }
    if (!isOfAddress(refused))
      return { text: toRefusalText('Discord', { code: code || status, reason }), leastMs: 5000 }
    return { text: `Discord knows no such address (${status}): ${rightRoot}.`, leastMs: untilSomebodyActsMs }
  },
})

/** Whether a refusal is of the address, not of what was asked for there. */
export function isOfAddress({ code, status }: { readonly code: number; readonly status: number }): boolean {
  return code === 0 && (status === 404 || status === 405)
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const closings: Readonly<Record<number, string>> = {
  4004: wrongToken,
  4010: 'Discord knows no such shard. Restart all discord processes, so that they agree on how many there are.',
  4011: 'Discord wants this bot on more shards. Restart all discord processes, so that they ask how many.',
  4013: 'Discord refuses the intents of this version. Update Flotilla.',
  4014: 'Discord refuses the Message Content intent. Switch it on under Bot, Privileged Gateway Intents, in the developer portal.',
}

/** Why a connection ended; undefined for what happens every day and needs nobody. */
export function toClosing(code: number): Trouble | undefined {
  const text = closings[code]
  return text === undefined ? undefined : { text, leastMs: untilSomebodyActsMs }
}

/** Missing rights in a channel, by Discord's code, for the log and the row's reason. */
const missing: Readonly<Record<number, string>> = {
  10003: 'The channel is gone.',
  50001: 'The bot may not see the channel: give its role View Channel there.',
  50007: 'The person takes no direct messages from the bot.',
  50278: 'The person shares no server with the bot, so it may send no direct messages.',
  50013: 'The bot may not write in the channel: give its role Send Messages, and Send Messages in Threads.',
  50083: 'The thread is archived.',
  160005: 'The thread is locked.',
}

const ofChannels = new Set(Object.values(missing))

/** Whether a row's reason is about where it was to go, not about what it said. */
export function isOfChannel(reason: string): boolean {
  return ofChannels.has(reason)
}

/** A sentence on why nothing can be sent there; undefined for other codes. */
export function toMissing(code: number): string | undefined {
  return missing[code]
}
