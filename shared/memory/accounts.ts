// Accounts of one person on several channels. Linked ones share what is kept for their person, and nothing else: no rights, approvals or budgets.
import { z } from 'zod'
import { conversationId, principalId, type PrincipalId } from '#shared/chat/conversation.ts'

export const account = z.object({
  principal: principalId,
  /** Their direct chat with the bot. */
  conversation: conversationId,
  /** How they are called there, where it is known. */
  name: z.string().max(100).exactOptional(),
})
export type Account = z.infer<typeof account>

export type Linking =
  | 'linked'
  /** Both are linked with others already. */
  | 'both-linked'
  /** A person has no more than `mostAccounts`. */
  | 'too-many'
  /** Both together remember more than there is room for. */
  | 'full'
  /** This very link was ended already. */
  | 'ended'

/** All are safe to repeat, and throw BotError `store-unavailable` where Redis is away. */
export type Accounts = {
  /** All that share one memory, this one among them, in the order of their principals; none where it is linked with none. */
  find(principal: PrincipalId): Promise<readonly Account[]>
  /** What was said by either is kept for both. `id`: 1–40 characters of `a-z 0-9`; names what they share where none of them is linked yet. */
  link(one: Account, other: Account, id: string): Promise<Linking>
  /** What was said by this account goes with it; what was said by others stays with them. Of two, neither is linked afterwards. */
  unlink(principal: PrincipalId): Promise<void>
  /** Ends what a process began for this account and did not end: its records stand in two places for as long. */
  goOn(principal: PrincipalId): Promise<void>
  /** Goes on with what a process began that died. */
  finish(): Promise<void>
}

/** What `make` gave, as a person typed it on another account. */
export type UsedCode =
  /** `id`: for `link` of `Accounts`, the same each time. */
  | { readonly kind: 'found'; readonly account: Account; readonly id: string }
  /** There is none such any more. */
  | { readonly kind: 'wrong' }
  /** This account typed too many wrong ones lately. */
  | { readonly kind: 'locked' }
  /** One of the two was linked many times within a day. */
  | { readonly kind: 'often' }

/** One-time codes by which a person shows that two accounts are theirs. All throw BotError `store-unavailable` where Redis is away. */
export type LinkCodes = {
  /** A new one of this account, `ABCD-EFGH`, for ten minutes. Its older one holds no more. */
  make(account: Account): Promise<string>
  /** Safe to repeat by the same event; any other event finds it used. */
  use(code: string, by: { readonly principal: PrincipalId; readonly event: string }): Promise<UsedCode>
  /** Others may have seen it: it holds no more. */
  burn(code: string): Promise<void>
}
