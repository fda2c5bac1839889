// Judges what people saw against what they asked: exactly one answer each, in order, with the right text; then the kernel's own
// invariants, and how often the model was asked. A breach is a sentence; none is a pass.
import { checkInvariants } from '#test/rig/oracle.ts'
import type { Fleet } from './fleet.ts'
import type { Asked, Said, Transcripts } from './transcripts.ts'

export type Allowed = {
  /** Model calls beyond one for each reply: crashes and fenced zombies repeat one each. */
  readonly extraModelCalls: number
  /** Replies that are not an echo of the last message they answer (stops, refusals, messages set aside). */
  readonly otherTexts?: boolean
  /** The platform itself brings what had to wait after what was said later. */
  readonly anyOrder?: boolean
  /** How many rows may end `unknown`: a Telegram sender died while they were being sent. */
  readonly unknown?: number
}

/** Throws with every breach. Call it when all is quiet. Resolves with the number of unknown rows. */
export async function expectInvariants(fleet: Fleet, allowed: Allowed): Promise<number> {
  const rows = await settledRows(fleet)
  const unknown = rows.filter((row) => row.state === 'unknown')
  const breaches = rows.flatMap((row) =>
    row.state === 'sent' || row.state === 'unknown' || row.kind === 'notice'
      ? []
      : [`${row.conversation}: row ${row.id} ended ${row.state}`],
  )
  if (unknown.length > (allowed.unknown ?? 0))
    breaches.push(`${unknown.length} rows are unknown, ${allowed.unknown ?? 0} allowed`)
  const excused = new Set(unknown.flatMap((row) => row.answers))
  breaches.push(...answerBreaches(fleet.talk, allowed, excused))
  breaches.push(...(await settledInvariants(fleet)))
  const replies = new Set([...fleet.talk.conversations.values()].flat().filter((said) => said.text.includes('echo: ')))
    .size
  const requests = await fleet.model.repliesAsked()
  const needed = replies + unknown.length
  if (requests > needed + allowed.extraModelCalls) {
    breaches.push(`${requests} model calls for ${needed} replies, ${allowed.extraModelCalls} repeats allowed`)
  }
  if (breaches.length > 0) {
    throw new Error(`${breaches.length} breaches:\n  ${breaches.slice(0, 20).join('\n  ')}`)
  }
  return unknown.length
}

function answerBreaches(talk: Transcripts, { otherTexts, anyOrder }: Allowed, excused: ReadonlySet<string>): string[] {
  const breaches: string[] = []
  for (const asked of talk.asked.values()) {
    const count = talk.answersTo(asked.id).length
    if (count !== 1 && !(count === 0 && excused.has(asked.id)))
      breaches.push(`${asked.conversation}: "${asked.text}" (seq ${asked.seq}) has ${count} answers`)
  }
  for (const [conversation, said] of talk.conversations) {
    const disorder = orderBreaches(conversation, said, talk.asked)
    breaches.push(...(anyOrder ? disorder.filter((one) => !one.includes('is answered after')) : disorder))
    if (!otherTexts) breaches.push(...textBreaches(conversation, said, talk.asked))
  }
  return breaches
}

/** One person per conversation, so replies must answer rising seqs. */
function orderBreaches(conversation: string, said: readonly Said[], asked: ReadonlyMap<string, Asked>): string[] {
  let last = 0
  const breaches: string[] = []
  for (const reply of said) {
    for (const id of reply.answers) {
      const seq = asked.get(id)?.seq
      if (seq === undefined) breaches.push(`${conversation}: a reply answers ${id}, which nobody asked`)
      else if (seq <= last) breaches.push(`${conversation}: seq ${seq} is answered after ${last}`)
      else last = seq
    }
  }
  return breaches
}

function textBreaches(conversation: string, said: readonly Said[], asked: ReadonlyMap<string, Asked>): string[] {
  return said.flatMap((reply) => {
    const last = asked.get(reply.answers.at(-1) ?? '')
    return last && !reply.text.includes(last.text)
      ? [`${conversation}: "${reply.text.slice(0, 80)}" answers "${last.text}"`]
      : []
  })
}

/** The kernel's invariants, given a moment in which the last lease ends and the last hint is worked off. */
/** What was shown is recorded a moment later, which may take a while where Redis is slow. */
async function settledRows(fleet: Fleet) {
  for (let i = 0; ; i++) {
    const { telegram, discord, feishu } = fleet
    const rows = (await Promise.all([telegram, discord, feishu].map(async (one) => (await one?.rows()) ?? []))).flat()
    if (i >= 10 || rows.every(({ state }) => state !== '' && state !== 'sending')) return rows
    await fleet.pause(300)
  }
}

async function settledInvariants(fleet: Fleet): Promise<readonly string[]> {
  let breaches = await checkInvariants(fleet.redis.admin)
  for (let i = 0; i < 10 && breaches.length > 0; i++) {
    await fleet.pause(300)
    breaches = await checkInvariants(fleet.redis.admin)
  }
  return breaches
}
