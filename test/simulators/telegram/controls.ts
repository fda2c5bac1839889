// All that a test can do to the simulated Telegram and see of it, in one object: people, groups, updates, faults, what is visible.
import type { Gates } from '#test/simulators/signals.ts'
import type { Faults, TelegramLimits, TelegramRule } from './faults.ts'
import { createGroups, type Groups } from './groups.ts'
import type { TelegramLedger } from './ledger.ts'
import { createPeople, type People } from './people.ts'
import type { TgUser } from './types.ts'
import type { UpdateQueue } from './updates.ts'
import { toVisible, toVisibleDrafts, type VisibleMessage } from './visible.ts'
import { chatOf, type ChatState, type PressState, type World } from './world.ts'

export type Controls = People &
  Groups &
  Pick<UpdateQueue, 'inject' | 'replay' | 'hold' | 'release'> & {
    readonly ledger: TelegramLedger
    /** Names a person; people that are not named are made up. */
    addUser(user: TgUser): void
    /** Adds a fault; see `faults.ts`. */
    fault(rule: TelegramRule): void
    clearFaults(): void
    setLimits(limits: TelegramLimits): void
    /** Lets pass what waits at the gate of this name, now and later. */
    open(gate: string): void
    /** What a person sees in this chat now. */
    visible(chat: number): VisibleMessage[]
    /** The texts of streamed drafts shown now. */
    drafts(chat: number): string[]
    /** The last chat action since the bot's last message. */
    action(chat: number): ChatState['action']
    /** What Telegram fetched: URLs in messages with link preview, images of rich messages. */
    unfurled(): World['unfurled']
    /** What became of a press. */
    pressAnswer(id: string): PressState['answer']
    /** The bot's commands in the default scope and language. */
    commands(): readonly { readonly command: string; readonly description: string }[]
    /** How many updates wait to be fetched or pushed. */
    pendingUpdates(): number
  }

type Parts = {
  readonly world: World
  readonly queue: UpdateQueue
  readonly faults: Faults
  readonly gates: Gates
  readonly ledger: TelegramLedger
}

export function createControls({ world, queue, faults, gates, ledger }: Parts): Controls {
  return {
    ...createPeople(world, queue),
    ...createGroups(world, queue),
    ledger,
    inject: (update) => queue.inject(update),
    replay: (updateId) => queue.replay(updateId),
    hold: () => queue.hold(),
    release: (order) => queue.release(order),
    addUser: (user) => {
      world.users.set(user.id, user)
    },
    fault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    setLimits: (limits) => faults.setLimits(limits),
    open: (gate) => gates.open(gate),
    visible: (chat) => toVisible(chatOf(world, chat), world.files),
    drafts: (chat) => toVisibleDrafts(chatOf(world, chat), Date.now()),
    action: (chat) => chatOf(world, chat).action,
    unfurled: () => [...world.unfurled],
    pressAnswer: (id) => world.presses.get(id)?.answer,
    commands: () => world.commands.get(defaultScope) ?? [],
    pendingUpdates: () => queue.pending.length,
  }
}

/** As `commandScope` in methods.ts writes it. */
const defaultScope = JSON.stringify([{ type: 'default' }, ''])
