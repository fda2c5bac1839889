// Opens what linked accounts share: their records, and the text by which they are asked.
import { createSharedDesks } from '#queues/fleet/desks.ts'
import { createLinkCodes } from '#queues/fleet/link-codes.ts'
import { createAccounts } from '#queues/memory/accounts.ts'
import { mergeBooks } from '#services/curiosity/desk/book.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { Accounts, LinkCodes } from '#shared/memory/accounts.ts'
import type { Connections } from './open-connections.ts'

export type AccountStores = { readonly accounts: Accounts; readonly linkCodes: LinkCodes }

export const openAccounts = ({ redis, call }: Pick<Connections, 'redis' | 'call'>): AccountStores => ({
  accounts: createAccounts({ redis, call, comparing, desks: createSharedDesks(redis, call, mergeBooks) }),
  linkCodes: createLinkCodes(redis),
})
