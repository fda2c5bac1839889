// Opens what linked accounts share, their records and the text by which they are asked; and what chats of one project share.
import { createSharedDesks } from '#queues/fleet/desks.ts'
import { createLinkCodes } from '#queues/fleet/link-codes.ts'
import { createAccounts } from '#queues/memory/accounts.ts'
import { createProjects } from '#queues/memory/projects.ts'
import { mergeBooks } from '#services/curiosity/desk/book.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { Accounts, LinkCodes } from '#shared/memory/accounts.ts'
import type { Projects } from '#shared/memory/projects.ts'
import type { Connections } from './open-connections.ts'

export type SharedStores = { readonly accounts: Accounts; readonly linkCodes: LinkCodes; readonly projects: Projects }

export const openSharedStores = ({ redis, call }: Pick<Connections, 'redis' | 'call'>): SharedStores => ({
  accounts: createAccounts({ redis, call, comparing, desks: createSharedDesks(redis, call, mergeBooks) }),
  linkCodes: createLinkCodes(redis),
  projects: createProjects({ redis, call, comparing }),
})
