// All that a test can do to the simulated Discord and see of it, in one object: people, places, gateway, faults, what is visible.
import type { Gates } from '#test/simulators/signals.ts'
import type { DiscordRule, Faults } from './faults.ts'
import type { Gateway } from './gateway.ts'
import type { DiscordLedger } from './ledger.ts'
import type { DiscordLimits, Limits } from './limits.ts'
import { createPeople, userNamed, type People } from './people.ts'
import { createPlaces, type Places } from './places.ts'
import type { RouteDeps } from './route.ts'
import type { Sessions } from './sessions.ts'
import type { DcCommand } from './types.ts'
import { toVisible, toVisibleInteraction, type VisibleInteraction, type VisibleMessage } from './visible.ts'
import { channelOf } from './world.ts'

export type InjectedEvent = {
  readonly t: string
  readonly d: unknown
  /** Its shard follows from the guild; 0 without one. */
  readonly guild?: string | undefined
}

export type Controls = People &
  Places &
  Omit<Gateway, 'upgrade' | 'close' | 'identifiesLeft'> & {
    readonly ledger: DiscordLedger
    /** Sends an event just as it is. */
    inject(event: InjectedEvent): void
    /** Sends the last event of this kind once more, under a new number, to every session that got it. */
    repeat(t: string): void
    /** Adds a fault; see `faults.ts`. */
    fault(rule: DiscordRule): void
    clearFaults(): void
    setLimits(limits: DiscordLimits): void
    /** Lets pass what waits at the gate of this name, now and later. */
    open(gate: string): void
    /** What people see in this channel, thread or direct channel; with a person's name also what only that person sees. */
    visible(channel: string, viewer?: string): VisibleMessage[]
    /** URLs that Discord fetched for previews. */
    unfurled(): readonly string[]
    /** When the bot last showed itself typing, unless it has written since. */
    typing(channel: string): number | undefined
    /** What became of a press or a command. */
    interaction(id: string): VisibleInteraction
    /** The bot's commands: global ones, or a guild's own. */
    commands(guild?: string): readonly DcCommand[]
  }

type Parts = {
  readonly deps: RouteDeps
  readonly sessions: Sessions
  readonly gateway: Gateway
  readonly faults: Faults
  readonly limits: Limits
  readonly gates: Gates
  readonly ledger: DiscordLedger
}

export function createControls({ deps, sessions, gateway, faults, limits, gates, ledger }: Parts): Controls {
  const { world, options } = deps
  return {
    ...createPeople(deps),
    ...createPlaces(deps),
    connectedShards: gateway.connectedShards,
    closeConnections: gateway.closeConnections,
    dropConnections: gateway.dropConnections,
    silence: gateway.silence,
    withholdAcks: gateway.withholdAcks,
    requestReconnect: gateway.requestReconnect,
    invalidate: gateway.invalidate,
    replaceNext: gateway.replaceNext,
    sendText: gateway.sendText,
    ledger,
    inject: ({ t, d, guild }) => sessions.dispatch({ t, guild, intent: 0, toData: () => d }),
    repeat: (t) => {
      for (const session of sessions.all.values()) {
        const last = session.events.findLast((event) => event.t === t)
        if (last !== undefined) sessions.send(session, t, last.d)
      }
    },
    fault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    setLimits: (next) => limits.set(next),
    open: (gate) => gates.open(gate),
    visible: (channel, viewer) =>
      toVisible(world, channelOf(world, channel), viewer === undefined ? undefined : userNamed(world, viewer).id),
    unfurled: () => [...world.unfurled],
    typing: (channel) => channelOf(world, channel).typingAt,
    interaction: (id) => {
      const found = world.interactions.get(id)
      if (found === undefined) throw new Error(`There is no interaction ${id}`)
      return toVisibleInteraction(world, found, options.interactionTimeoutMs)
    },
    commands: (guild = '') => world.commands.get(guild) ?? [],
  }
}
