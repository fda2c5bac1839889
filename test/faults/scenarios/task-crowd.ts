// Issue 43, must-show 3: two hundred tasks of five to twelve steps over many chats, a model that fails a fifth of its calls, and a tool that fails a tenth,
// half of these after its effect. Most come to their end with nobody asked; each of the others stops at a card whose buttons finish it. Nothing is
// stuck, and nothing is done twice. Then forty more with checkpoints, each answered _Continue_.
import { z } from 'zod'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { crowdOrder, openCrowdModel, openOutside } from '#test/faults/rig/crowd.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import type { Place } from '#test/faults/rig/place.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, createRandom, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

export type Crowd = {
  readonly seed: number
  readonly tasks: number
  readonly looks: 'never' | 'every'
  /** Of model calls, so many fail; each is tried twice where `isHard`, else four times. */
  readonly failing: number
  readonly isHard?: true
  /** Of all tasks, at least so many come to their end with nobody asked. */
  readonly leastAlone: number
  readonly patienceMs: number
}

const mostOfOne = 3

export const taskCrowd = (name: string, crowd: Crowd): Scenario => ({
  name,
  rows: ['must show 3'],
  async run(note) {
    const random = createRandom(crowd.seed)
    const shares = { model: crowd.failing, tool: 0.1 }
    const outside = await openOutside({ random, shares })
    const model = await openCrowdModel({ random, shares })
    try {
      await using fleet = await startFleet({
        ledger: 'counters',
        env: {
          OPENAI_BASE_URL: model.url,
          CROWD_ORIGIN: outside.origin,
          MODEL_RETRIES_MS: crowd.isHard ? '20' : '20,40,80',
          FLOTILLA_ANSWER_BUTTONS: 'off',
        },
      })
      await Promise.all(['router', 'executor', 'executor', 'web'].map((role) => fleet.start(role)))
      const begunAtMs = Date.now()
      const steps = Array.from({ length: crowd.tasks }, () => 5 + Math.floor(random() * 8))
      const chats = await order(fleet, steps, crowd.looks)
      const { finishedMs, asked } = await untilDone(fleet, chats, { ...crowd, begunAtMs })
      const planned = steps.reduce((sum, one) => sum + one, 0)
      const alone = crowd.tasks - asked.size
      note(
        `${crowd.tasks} tasks of ${planned} steps in ${chats.length} chats: all done after ${((Date.now() - begunAtMs) / 1000).toFixed(0)} s ` +
          `(p50 ${(percentile(finishedMs, 0.5) / 1000).toFixed(0)} s), ${alone} with nobody asked (${((100 * alone) / crowd.tasks).toFixed(1)} %)`,
      )
      note(
        `${model.failures()} of ${model.asked()} model calls failed, ${outside.failures()} of the tool's; ${outside.done()} things done, ` +
          `${outside.doubled().length} twice`,
      )
      assert(outside.doubled().length === 0, `done twice: ${outside.doubled().slice(0, 10).join(', ')}`)
      assert(outside.done() === planned, `${outside.done()} of ${planned} things are done`)
      assert(alone >= crowd.leastAlone * crowd.tasks, `only ${alone} of ${crowd.tasks} tasks ended with nobody asked`)
      await fleet.pause(1500)
      const broken = await checkInvariants(fleet.redis.admin)
      assert(broken.length === 0, `broken: ${broken.slice(0, 10).join(', ')}`)
    } finally {
      await Promise.all([model.close(), outside.close()])
    }
  },
})

type Chat = { readonly place: Place; readonly tasks: number }

async function order(fleet: Fleet, steps: readonly number[], looks: Crowd['looks']): Promise<readonly Chat[]> {
  const words = looks === 'never' ? 'without stopping' : 'and stop after every 3 parts'
  const chats: Chat[] = []
  for (let first = 0; first < steps.length; first += mostOfOne) {
    const own = steps.slice(first, first + mostOfOne)
    const place = await directPlace(fleet, 'web', 500 + chats.length)
    for (const [n, count] of own.entries()) await place.command(crowdOrder(first + n, count, words))
    chats.push({ place, tasks: own.length })
  }
  return chats
}

const listed = z.object({
  tasks: z.array(
    z.looseObject({ number: z.number(), state: z.string(), waits: z.string(), done: z.number(), all: z.number() }),
  ),
})
type Standing = z.infer<typeof listed>['tasks'][number]

async function standOf(fleet: Fleet, { conversation }: Place): Promise<readonly Standing[]> {
  const stored = await fleet.redis.admin.hget(
    `${partitionPrefix(toPartition(conversation))}r:${conversation}`,
    'f.tasks',
  )
  return stored === null ? [] : listed.parse(JSON.parse(stored)).tasks
}

/** Answers each card until all is done. `asked`: tasks that could not go on by themselves. */
async function untilDone(
  fleet: Fleet,
  chats: readonly Chat[],
  { patienceMs, begunAtMs }: Crowd & { readonly begunAtMs: number },
): Promise<{ readonly finishedMs: readonly number[]; readonly asked: ReadonlySet<string> }> {
  const [asked, finished] = [new Set<string>(), new Map<string, number>()]
  const wanted = chats.reduce((sum, { tasks }) => sum + tasks, 0)
  for (const endMs = Date.now() + patienceMs; finished.size < wanted; await fleet.pause(400)) {
    const open: string[] = []
    for (const { place, tasks } of chats) {
      const all = await standOf(fleet, place)
      for (const one of all) {
        const name = `${place.conversation}#${one.number}`
        if (one.state === 'COMPLETED' && !finished.has(name)) finished.set(name, Date.now() - begunAtMs)
        if (one.state !== 'COMPLETED') open.push(`${name} ${one.state} waits for ${one.waits}, ${one.done}/${one.all}`)
        if (one.waits === 'recovery' && one.state !== 'COMPLETED') asked.add(name)
      }
      if (all.length < tasks) open.push(`${place.conversation} has ${all.length} of ${tasks} tasks`)
      if (all.some(({ waits, state }) => waits !== 'nothing' && state !== 'COMPLETED')) await answerAll(place)
    }
    assert(Date.now() < endMs, `${open.length} tasks are not done: ${open.slice(0, 12).join('; ')}`)
  }
  return { finishedMs: [...finished.values()], asked }
}

/** Presses whatever is asked. */
async function answerAll(place: Place): Promise<void> {
  for (const { id, buttons } of await place.said())
    for (const { label, data } of buttons)
      if (label === 'Continue' || label === 'Try again') await place.press(id, data)
}
