// A process of the fleet for the scenarios: `node test/scenarios/rig/role.ts executor`. It writes down each step that a conversation stores, and
// is killed at the step that the conversation's name asks for: `web:joins-a3` right after its third step is stored, before the fleet
// learns of it; `web:joins-b3` right before it is sent. That happens once to a conversation, whichever process serves it.
import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { runSeparate } from '#infra/processes/separate.ts'
import { homeOf } from '#shared/chat/address.ts'
import type { CallUnit } from '#queues/units.ts'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { createErrands } from './errands.ts'
import { createPages } from './pages.ts'
import { watchPlaces } from './places.ts'
import { readWhole, toKillPoint, toStepsFile, type StoredStep } from './steps.ts'

const { STEPS_FOLDER = '', WORLD_PORT = '', TURN_LIMITS = '{}', MUTANT = '', PLACES = '' } = process.env
const limits = { ...defaultLimits, ...z.record(z.string(), z.number()).parse(JSON.parse(TURN_LIMITS)) }

function die(file: string): void {
  writeFileSync(`${file}.killed`, String(Date.now()))
  process.kill(process.pid, 'SIGKILL')
}

const countSteps = (file: string): number => {
  closeSync(openSync(file, 'a'))
  return readFileSync(file, 'utf8').split('\n').length - 1
}

const isKilled = (file: string): boolean => readWhole(`${file}.killed`) !== undefined

const journaled = z.looseObject({
  t: z.string(),
  turn: z.string(),
  step: z.number().optional(),
  callId: z.string().optional(),
})

function toStep(args: readonly string[], at: number): StoredStep {
  const entries = args
    .filter((arg) => arg.startsWith('{"v":1,') && arg.includes('"turn":') && arg.includes('"t":"'))
    .flatMap((arg) => journaled.safeParse(JSON.parse(arg)).data ?? [])
    .map(({ t, turn, step, callId }) => ({ t, turn, step, callId }))
  return { key: args[2] ?? '', at, entries }
}

/** What a claim answers, without the end of the step that was stored last: a mutant, which the comparison has to notice. */
const forgetful = (answer: unknown): unknown =>
  Array.isArray(answer)
    ? answer.map((part: unknown) =>
        Array.isArray(part) && /"t":"(?:llm|tool):fin"/.test(String(part.at(-1))) ? part.slice(0, -1) : part,
      )
    : answer

const watchSteps =
  (call: CallUnit): CallUnit =>
  async (name, key, given) => {
    if (name === 'claim' && MUTANT === 'lost-steps') return forgetful(await call(name, key, given))
    if (name !== 'append') return await call(name, key, given)
    const args = given.map(String)
    // What its tasks store counts as its own.
    const conversation = homeOf(args[0] ?? '')
    const file = path.join(STEPS_FOLDER, toStepsFile(conversation))
    const point = toKillPoint(conversation)
    // Two processes may store at the same moment, so that a count is passed over.
    if (point.side === 'before' && countSteps(file) >= point.nth - 1 && !isKilled(file)) die(file)
    const answer = await call(name, key, given)
    if (!Array.isArray(answer) || answer[0] !== 'OK') return answer
    appendFileSync(file, `${JSON.stringify(toStep(args, Date.now()))}\n`)
    if (point.side === 'after' && countSteps(file) >= point.nth && !isKilled(file)) die(file)
    return answer
  }

const hourMs = 3_600_000
/** Longer than what is asked takes to be shown, whoever dies meanwhile. */
const shortMs = 6000

/** The cards of a conversation that says so in its name are asked for some seconds instead of hours. */
const hasten =
  (call: CallUnit): CallUnit =>
  async (name, key, args) => {
    const isHasty = name === 'append' && String(args[0]).includes('-expires-')
    const shorten = (text: string): string =>
      text.replaceAll(/"deadlineMs":(\d+)/g, (whole, ms) => (Number(ms) < hourMs ? whole : `"deadlineMs":${shortMs}`))
    return await call(name, key, isHasty ? args.map((arg) => (typeof arg === 'string' ? shorten(arg) : arg)) : args)
  }

type Role = Parameters<typeof runSeparate>[0][number]
// The names are the rig's own, checked by the process that starts this one.
const roles = (process.argv[2] ?? '').split(',') as Role[]
setInterval(flushCompileCache, 250).unref()
const world = `http://127.0.0.1:${WORLD_PORT}`
process.exitCode = await runSeparate(roles, {
  executor: {
    limits,
    retryDelaysMs: [50, 100, 200],
  },
  features: [createErrands(world, { keepsKeys: MUTANT !== 'lost-keys' }), createPages(Number(WORLD_PORT))],
  wrapUnits: (call) => (PLACES === '' ? watchSteps(call) : watchPlaces(STEPS_FOLDER)(watchSteps(hasten(call)))),
})
