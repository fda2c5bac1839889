// What the fleet keeps of people and chats, and what owners set for all of it.
import type { Settings } from '#infra/config/settings.ts'
import { createAccessList, type AccessList } from '#queues/fleet/access.ts'
import { createBudgets, type Budgets } from '#queues/fleet/budgets.ts'
import { createChatBook, type ChatBook } from '#queues/fleet/chat-book.ts'
import { createDesks } from '#queues/fleet/desks.ts'
import { createReadingCounts } from '#queues/fleet/reading-counts.ts'
import { createHearing, type Hearing } from '#queues/fleet/hearing.ts'
import { createPeople, type People } from '#queues/fleet/people.ts'
import { createQuiet, type Quiet } from '#queues/fleet/quiet.ts'
import { createToolRights, type ToolRights } from '#queues/fleet/tool-rights.ts'
import { createDeskNames } from '#queues/memory/accounts.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { ReadingCounts } from '#services/curiosity/reading/counts.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Connections } from './open-connections.ts'
import { openKept, type KeptStores } from './open-kept.ts'
import type { News } from './open-news.ts'
import { openSharedStores, type SharedStores } from './open-shared-stores.ts'

export type Stores = SharedStores &
  KeptStores & {
    readonly access: AccessList
    /** Those that owners set. */
    readonly budgets: Budgets
    readonly toolRights: ToolRights
    readonly quiet: Quiet
    /** Curiosity alone is quiet. */
    readonly incurious: Quiet
    readonly hearing: Hearing
    /** Fails fast, as `ingestCall` does. */
    readonly chats: ChatBook
    readonly people: People
    readonly desks: Desks
    readonly readingCounts: ReadingCounts
  }

export function openStores(
  { redis, call, ingestCall, clock }: Connections,
  { signals }: Pick<News, 'signals'>,
  settings: Pick<Settings, 'owners' | 'allowEveryone'>,
): Stores {
  const access = createAccessList(redis, { owners: settings.owners, everyone: settings.allowEveryone, news: signals })
  const chats = createChatBook(ingestCall, { redis, news: signals })
  const people = createPeople({
    redis,
    call: ingestCall,
    chats,
    now: clock.now,
    async mayTalk({ principal, conversation }) {
      const rights = await access.find(principal, toChat(conversation))
      return rights.owner || rights.person || rights.chat
    },
  })
  const shared = openSharedStores({ redis, call })
  return {
    ...shared,
    ...openKept({ redis, call }, shared),
    access,
    budgets: createBudgets(redis),
    toolRights: createToolRights(redis),
    quiet: createQuiet(redis),
    incurious: createQuiet(redis, 'incurious'),
    hearing: createHearing(redis),
    chats,
    people,
    desks: createDesks(redis, call, { now: clock.now, toName: createDeskNames(redis) }),
    readingCounts: createReadingCounts(redis),
  }
}
