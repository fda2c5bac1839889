// Who has no direct chat cannot be asked. Once a month at most they are told in a group, when they have just talked to the bot there, how to open one.
import { z } from 'zod'
import { principalId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { LetterEffect, StepEffect } from '#shared/feature/effect.ts'
import type { LetterContext } from '#shared/feature/feature.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { People } from '#shared/feature/ports.ts'
import type { Projection, ReaderJob } from '#shared/feature/projection.ts'
import { readStored } from '#shared/stored-json.ts'
import { changeBook, findBook, invite, mayInvite } from './book.ts'
import { findMoment, quietMs, thereMs, wantsCards, type MomentDeps } from './moment.ts'

export type InviteDeps = MomentDeps & Pick<People, 'invite'>

const invited = z.object({ principal: principalId, name: z.string().max(64), id: z.string().max(120) })

export const createInvite = (deps: InviteDeps): Projection => ({
  name: 'invite',
  worker: 'curiosity',
  async take(line) {
    if (line.kind !== 'turn' || line.record.group !== true || line.record.ending !== 'answered') return []
    return (await deps.findDirect(line.record.principal)) === undefined ? [{ kind: 'job', inMs: quietMs }] : []
  },
  work: (job) => afterExchange(deps, job),
})

async function afterExchange(deps: InviteDeps, { conversation, line }: ReaderJob): Promise<readonly LetterEffect[]> {
  if (line?.kind !== 'turn') return []
  const { principal, name = '', turn, endedAt } = line.record
  if (deps.now() - endedAt > thereMs) return []
  const last = await deps.findTurn(conversation, 'last')
  if (last?.record.turn !== turn || !(await mayCome(deps, principal))) return []
  const payload = JSON.stringify({ principal, name: name.slice(0, 64), id: line.name })
  return [{ kind: 'letter', to: conversation, letter: 'invite', payload }]
}

async function mayCome(deps: InviteDeps, principal: PrincipalId): Promise<boolean> {
  if ((await deps.findDirect(principal)) !== undefined) return false
  if (!mayInvite(await findBook(deps.desks, principal), deps.now())) return false
  return (await findMoment(deps, principal, false)) !== undefined
}

/** The same letter again says it again only where it was not said: the group knows whom it told. */
export async function inviteHere(
  deps: InviteDeps,
  { event, language, conversation, state }: LetterContext,
): Promise<readonly StepEffect<never>[]> {
  const { principal, name, id } = readStored('letter to a group', invited, event.payload)
  if (state.busy || !(await wantsCards(deps, principal)) || (await deps.isClosed(conversation))) return []
  if (!(await deps.mayTalk({ principal, conversation }))) return []
  let isOurs = false
  await changeBook(deps.desks, principal, (book) => {
    isOurs = book.invited?.id === id || mayInvite(book, deps.now())
    return isOurs && book.invited?.id !== id ? invite(book, { id, at: deps.now() }) : undefined
  })
  const line = isOurs ? await deps.invite({ principal, conversation, language, unlessBlocked: true }) : undefined
  if (line === undefined) return []
  const called = toInertLine(name, 64)
  const colon = language === 'zh' ? '：' : ': '
  return [{ kind: 'send', text: called === '' ? line : `${called}${colon}${line}`, about: [] }]
}
