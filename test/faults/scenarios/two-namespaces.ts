// One data folder seen from two pid namespaces, as by two containers on one volume: process ids tell nothing across them. Only one
// fleet works on the folder at a time, and nothing that it accepted is lost, whichever of its processes dies.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { repository } from '#test/faults/rig/fleet.ts'
import { openNamespace, type Inside, type Namespace } from '#test/faults/rig/namespace.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { createWebAsker, type WebAsker } from '#test/faults/rig/web.ts'
import { findFreePort } from '#test/rig/redis.ts'

const chats = 5
/** A conversation shows its newest thousand messages: a fast machine must not write more. */
const paceMs = 50
const answerWaitMs = 30_000
const refusalWaitMs = 20_000
const shown = z.object({ messages: z.array(z.object({ role: z.string(), eventId: z.string().optional() }).loose()) })

export const twoNamespaces: Scenario = {
  name: 'two-namespaces',
  rows: ['two containers'],
  async run(note) {
    const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-faults-'))
    using one = await openNamespace()
    using two = await openNamespace()
    try {
      await play({ folder, port: await findFreePort(), one, two, note })
    } finally {
      await Promise.all([one.kill(), two.kill()])
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

type Play = {
  readonly folder: string
  readonly port: number
  readonly one: Namespace
  readonly two: Namespace
  readonly note: (line: string) => void
}

async function play({ folder, port, one, two, note }: Play): Promise<void> {
  const accepted = new Map<string, string>()
  const talk = { note: ({ id, conversation }: { id: string; conversation: string }) => accepted.set(id, conversation) }
  const web = createWebAsker({ port, folder, talk })
  const otherPort = await findFreePort()
  const first = start(one, folder, port)
  await first.says('Flotilla is running')
  let told = await whileAsking(web, async () => {
    await expectRefused(start(two, folder, otherPort), /already running .* of another container or machine/)
    await expectRefused(start(two, folder, otherPort), /already running .* of another container or machine/)
  })
  // The fleet is killed, its Redis lives on: the other one must neither take it over nor start one beside it.
  first.signal('SIGKILL')
  await first.ended
  await expectRefused(start(two, folder, otherPort), /Redis that this start knows nothing of .*process \d+/)
  const again = start(one, folder, port)
  await again.says('Flotilla is running')
  told += await whileAsking(web, () => expectRefused(start(two, folder, otherPort), /already running/))
  await expectKept(web, accepted)
  // The whole container is killed, Redis too: now the folder is free.
  await one.kill()
  const moved = start(two, folder, port)
  await moved.says('Flotilla is running')
  told += await whileAsking(web, () => sleep(500))
  assert(accepted.size === told, `${told} messages were accepted under ${accepted.size} ids`)
  await expectKept(web, accepted)
  note(`${told} messages accepted over three fleets in two namespaces, 4 starts refused, all stored and answered`)
  moved.signal('SIGTERM')
  assert((await moved.ended) === 0, `it did not stop in order:\n${moved.output()}`)
}

function start(where: Namespace, folder: string, port: number): Inside {
  return where.run([`${repository}/infra/cli.ts`, 'all'], {
    cwd: folder,
    env: { FLOTILLA_PORT: String(port), FLOTILLA_MODEL: 'demo', OLLAMA_HOST: 'http://127.0.0.1:1' },
  })
}

async function expectRefused(second: Inside, why: RegExp): Promise<void> {
  const code = await Promise.race([second.ended, sleep(refusalWaitMs, 'nothing', { ref: false })])
  assert(code === 1, `a second fleet ended with ${code}:\n${second.output()}`)
  assert(why.test(second.output()), `a second fleet was refused otherwise than by ${String(why)}:\n${second.output()}`)
}

/** Messages go on until `act` is over, at least ten a chat; resolves with how many. */
async function whileAsking(web: WebAsker, act: () => Promise<void>): Promise<number> {
  const acting = new AbortController()
  let told = 0
  const ask = async (chat: number): Promise<void> => {
    for (let n = 0; !acting.signal.aborted || n < 10; n += 1) {
      await web.ask(`n${chat}`, `what is ${n} + ${chat}?`)
      told += 1
      await sleep(paceMs)
    }
  }
  const asking = Array.from({ length: chats }, (_, chat) => ask(chat))
  await act().finally(() => acting.abort())
  await Promise.all(asking)
  return told
}

/** Each accepted message stands in its conversation, which ends with something of the bot's. */
async function expectKept(web: WebAsker, accepted: ReadonlyMap<string, string>): Promise<void> {
  for (let chat = 0; chat < chats; chat += 1) {
    const mine = [...accepted].flatMap(([id, conversation]) => (conversation === `web:n${chat}` ? [id] : []))
    let missing = mine
    for (const until = Date.now() + answerWaitMs; missing.length > 0 && Date.now() < until; await sleep(200)) {
      const { messages } = shown.parse(await web.read(`n${chat}`))
      const stored = new Set(messages.map(({ eventId }) => eventId))
      missing = mine.filter((id) => !stored.has(id))
      if (missing.length === 0 && messages.at(-1)?.role === 'user') missing = mine.slice(-1)
    }
    assert(missing.length === 0, `${missing.length} of ${mine.length} accepted messages are lost or unanswered`)
  }
}
