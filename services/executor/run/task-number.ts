// Which task of its conversation is at work, as features are told.
import { taskNumber } from '#shared/chat/address.ts'
import type { Claim } from './claim.ts'

export function toTaskNumber({ address }: Pick<Claim, 'address'>): { readonly task?: number } {
  const task = taskNumber(address)
  return task === undefined ? {} : { task }
}
