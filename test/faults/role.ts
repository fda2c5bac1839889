// A process of the fleet that can be told where to die: `node test/faults/role.ts executor,router`.
//   CRASH_AT=<unit>:<before|after>[:n]  SIGKILL itself right before the n-th call of a kernel unit is sent, or right after its answer.
//   CRASH_SENDING=<begun|done>:<text>   SIGKILL itself when a row that carries this text was given to be sent, before its request; or after that, before
//                                      what became of it is stored.
//   CRASH_TEXT=<text>                   SIGKILL itself before any append that carries this text: a message that kills every time.
//   CRASH_BY=exception                 by an exception that nobody catches, instead of SIGKILL.
//   REPLY_EXPIRES_IN_MS=<ms>           how long a reply waits for its permit before it is given up, instead of ten minutes.
//   CRASH_READING=<text>               SIGKILL itself when a feature reads a record of a turn that carries this text.
//   SAMPLE_FEATURE=1                    the executor has the feature of test/rig/sample-feature.ts too.
//   CROWD_ORIGIN=<url>                  the executor has a tool that posts there (`rig/crowd.ts`).
//   MODEL_RETRIES_MS=<ms>,<ms>…          before the second, third, … try of a model call.
//   REPEAT_UNITS=<unit>,<unit>…          every call of these is made twice with the same arguments, as after a lost reply.
// All names are outside FLOTILLA_*, which are settings. Nothing here is part of the product.
import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { runSeparate } from '#infra/processes/separate.ts'
import { createPost } from '#test/faults/rig/crowd.ts'
import { tellHolds } from '#test/faults/rig/holds.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Projection } from '#shared/feature/projection.ts'
import type { CallUnit } from '#queues/units.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'

const [unit = '', side = 'before', nth = '1'] = (process.env['CRASH_AT'] ?? '').split(':')
const [, sendingAt, sentText = ''] = /^(begun|done):(.+)$/.exec(process.env['CRASH_SENDING'] ?? '') ?? []
const poison = process.env['CRASH_TEXT']
const unreadable = process.env['CRASH_READING']
const repeated = (process.env['REPEAT_UNITS'] ?? '').split(',')
let calls = 0
/** The row that carries the text. */
let watchedRow: string | undefined

function crash(): void {
  if (process.env['CRASH_BY'] !== 'exception') process.kill(process.pid, 'SIGKILL')
  setImmediate(() => {
    throw new Error('planted')
  })
}

/** What a sender is given to send next. */
function watchSending(answer: unknown): unknown {
  if (!Array.isArray(answer) || !answer.some((part) => String(part).includes(sentText))) return answer
  watchedRow = String(answer[1])
  if (sendingAt === 'begun') crash()
  return answer
}

const wrapUnits =
  (call: CallUnit): CallUnit =>
  async (name, key, args) => {
    if (poison !== undefined && name === 'append' && args.some((arg) => String(arg).includes(poison))) {
      crash()
      // What was asked for is never sent.
      return await new Promise<never>(() => {})
    }
    if (sendingAt === 'done' && name === 'settle' && args.includes(watchedRow ?? Number.NaN)) crash()
    if (repeated.includes(name)) await call(name, key, args)
    if (sendingAt !== undefined && (name === 'begin' || name === 'settle'))
      return watchSending(await call(name, key, args))
    if (name !== unit) return await call(name, key, args)
    calls += 1
    const now = calls === Number(nth)
    if (now && side === 'before') crash()
    const answer = await call(name, key, args)
    if (now && side === 'after') crash()
    return answer
  }

/** The feature, whose reader dies of one text. */
function dying(feature: Feature): Feature {
  if (unreadable === undefined || !feature.after) return feature
  const after = feature.after.map((projection): Projection => ({
    ...projection,
    async take(line, signal) {
      if (line.kind === 'turn' && line.record.asked.includes(unreadable)) crash()
      return await projection.take(line, signal)
    },
  }))
  return { ...feature, after }
}

type Role = Parameters<typeof runSeparate>[0][number]
// The names are the rig's own, checked by the process that starts this one.
const roles = (process.argv[2] ?? '').split(',') as Role[]
const replyExpiresInMs = process.env['REPLY_EXPIRES_IN_MS']
const retriesMs = process.env['MODEL_RETRIES_MS']
const crowd = process.env['CROWD_ORIGIN']
const features = [
  ...(process.env['SAMPLE_FEATURE'] === undefined ? [] : [dying(sampleFeature)]),
  ...(crowd === undefined ? [] : [createPost(crowd)]),
]
// Most of these are killed, and Node keeps what it compiled for the next one only at an orderly end.
setInterval(flushCompileCache, 250).unref()
process.exitCode = await runSeparate(roles, {
  executor: {
    ...(replyExpiresInMs === undefined ? {} : { replyExpiresInMs: Number(replyExpiresInMs) }),
    ...(retriesMs === undefined ? {} : { retryDelaysMs: retriesMs.split(',').map(Number) }),
  },
  ...(features.length > 0 ? { features } : {}),
  wrapUnits: (call) => wrapUnits(tellHolds(call, (news) => process.send?.(news))),
})
// As the command line does: a kept connection does not hold an ended process.
setTimeout(() => process.exit(), 1000).unref()
