// All that a test can do to the simulated Feishu and see of it, in one object: people, groups, events, the developer's console, faults,
// time, what is visible.
import type { Gates } from '#test/simulators/signals.ts'
import type { ApiDeps } from './api.ts'
import type { Clock } from './clock.ts'
import type { Delivery } from './delivery.ts'
import type { FeishuRule } from './faults.ts'
import { createGroups, type Groups } from './groups.ts'
import type { FeishuLedger } from './ledger.ts'
import type { FeishuLimits } from './limits.ts'
import type { LongConnections } from './long-connection.ts'
import { createPeople, type People } from './people.ts'
import type { Webhook, WebhookInput } from './webhook.ts'
import { toVisible, toVisiblePress, type VisibleMessage, type VisiblePress } from './visible.ts'
import { chatOf } from './world.ts'

export type AppChange = {
  readonly isEnabled?: boolean | undefined
  readonly isPublished?: boolean | undefined
  readonly hasBotAbility?: boolean | undefined
  /** Calls that a month has; `none` lifts the limit. */
  readonly quotaPerMonth?: number | 'none' | undefined
  /** Business errors come with HTTP 200 instead of 400. */
  readonly errorsIn200?: boolean | undefined
}

export type Controls = People &
  Groups &
  Pick<Delivery, 'repeat' | 'repeatAnew' | 'double' | 'pending'> &
  Pick<LongConnections, 'connected' | 'silence' | 'sendBytes'> & {
    readonly ledger: FeishuLedger
    /** Events go to this address from now on; rejects when it does not echo the challenge. */
    setWebhook(input: WebhookInput): Promise<void>
    /** Events go over long connections again, as in the beginning. */
    useConnections(): void
    /** Ends all long connections without a word, or those that are silent. */
    dropConnections(silentOnly?: boolean): void
    closeConnections(code: number): void
    /** Sends an event just as it is; its id. */
    inject(type: string, event: Readonly<Record<string, unknown>>): string
    /** Moves the simulator's clock. */
    advance(ms: number): void
    /** Adds a fault; see `faults.ts`. */
    fault(rule: FeishuRule): void
    clearFaults(): void
    setLimits(limits: FeishuLimits): void
    /** Lets pass what waits at the gate of this name, now and later. */
    open(gate: string): void
    changeApp(change: AppChange): void
    /** Takes a permission away, or gives it. */
    deny(...scopes: readonly string[]): void
    grant(...scopes: readonly string[]): void
    /** Subscribes to these types of events alone. */
    subscribe(types: readonly string[]): void
    /** No token that was given works any more. */
    revokeTokens(): void
    /** Calls that counted this month. */
    usedThisMonth(): number
    /** What people see in this chat, or in one topic of it. */
    visible(chat: string, thread?: string): VisibleMessage[]
    /** What became of a press. */
    pressed(token: string): VisiblePress
  }

type Parts = {
  readonly api: ApiDeps
  readonly delivery: Delivery
  readonly connections: LongConnections
  readonly gates: Gates
  readonly clock: Clock
  createWebhook(input: WebhookInput): Webhook
}

export function createControls({ api, delivery, connections, gates, clock, createWebhook }: Parts): Controls {
  const { routes, faults, ledger, settings, closedUntil } = api
  const { world, events, limits, tokens } = routes
  const deps = { world, events, onChange: () => ledger.bell.ring() }
  return {
    ...createPeople(deps),
    ...createGroups(deps),
    repeat: delivery.repeat,
    repeatAnew: delivery.repeatAnew,
    double: delivery.double,
    pending: delivery.pending,
    connected: connections.connected,
    silence: connections.silence,
    sendBytes: connections.sendBytes,
    ledger,
    setWebhook: async (input) => {
      const webhook = createWebhook(input)
      await webhook.verify()
      delivery.use(webhook)
    },
    useConnections: () => delivery.use(connections),
    dropConnections: (silentOnly) => connections.drop(silentOnly),
    closeConnections: (code) => connections.closeAll(code),
    inject: (type, event) => events.inject(type, event),
    advance: (ms) => clock.advance(ms),
    fault: (rule) => faults.add(rule),
    clearFaults: () => {
      faults.clear()
      closedUntil.clear()
    },
    setLimits: (next) => limits.set(next),
    open: (gate) => gates.open(gate),
    changeApp: ({ quotaPerMonth, errorsIn200, ...change }) => {
      Object.assign(world.app, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)))
      if (quotaPerMonth !== undefined) world.app.quotaPerMonth = quotaPerMonth === 'none' ? undefined : quotaPerMonth
      if (errorsIn200 !== undefined) settings.errorsIn200 = errorsIn200
    },
    deny: (...scopes) => {
      for (const scope of scopes) world.app.scopes.delete(scope)
    },
    grant: (...scopes) => {
      for (const scope of scopes) world.app.scopes.add(scope)
    },
    subscribe: (types) => {
      world.app.events.clear()
      for (const type of types) world.app.events.add(type)
    },
    revokeTokens: () => tokens.revoke(),
    usedThisMonth: () => limits.usedThisMonth(),
    visible: (chat, thread) => toVisible(world, chatOf(world, chat), thread),
    pressed: (token) => {
      const found = world.presses.get(token)
      if (found === undefined) throw new Error(`There is no press ${token}`)
      return toVisiblePress(found)
    },
  }
}
