// Telegram's webhook in rows 1, 34, 36 and threat T13: a receiver that dies before or after storing, the same push at two receivers at
// once, a slow Redis, and pushes by somebody who does not know the secret.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { findFreePort } from '#test/rig/redis.ts'

const secret = 'a-secret-of-the-test'

type Hook = { readonly url: string; readonly env: Readonly<Record<string, string>> }

async function createHook(): Promise<Hook> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/hooks/telegram`
  return { url, env: { FLOTILLA_PORT: String(port), TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } }
}

export const webhookKilled: Scenario = {
  name: 'crash-webhook',
  rows: [1, 34, 'T13'],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    const hook = await createHook()
    for (const [i, at] of ['ingest:before', 'ingest:after'].entries()) {
      const crashing = await fleet.start('telegram', { ...hook.env, CRASH_AT: at })
      const asked = await fleet.askTelegram(300 + i, `what happens to a push at ${at}?`)
      const ended = await Promise.race([crashing.ended, fleet.pause(10_000).then(() => undefined)])
      assert(ended?.signal === 'SIGKILL', `the receiver never reached ${at}:\n${crashing.tail()}`)
      const next = await fleet.start('telegram', hook.env)
      await fleet.answered(20_000, [asked])
      // An answer is seen a moment before its row counts as sent.
      await next.stop()
    }
    const other = await createHook()
    await Promise.all([fleet.start('telegram', other.env), fleet.start('telegram', hook.env)])
    const forged = await forge(fleet, hook.url)
    const copies = await pushTwice(fleet, [hook.url, other.url])
    await fleet.answered(20_000)
    await fleet.pause(500)
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(
      `a receiver killed before and after storing; ${copies} pushes at two receivers at once; ${forged} forged ones refused`,
    )
  },
}

/** Pushes without the secret, with a wrong or cut one: refused, and nothing stored. */
async function forge(fleet: Fleet, url: string): Promise<number> {
  const keys = async (): Promise<number> => (await fleet.redis.admin.keys('fl:{p*}:c:*')).length
  const before = await keys()
  const body = JSON.stringify(toUpdate(999, 9_000_000))
  const tries = [undefined, '', 'wrong', secret.slice(0, -1), `${secret}x`]
  for (const given of tries) {
    const headers = given === undefined ? {} : { 'x-telegram-bot-api-secret-token': given }
    const reply = await fetch(url, { method: 'POST', body, headers })
    assert(reply.status === 401, `a push with secret ${String(given)} was answered ${reply.status}`)
  }
  assert((await keys()) === before, 'a forged push was stored')
  return tries.length
}

async function pushTwice(fleet: Fleet, urls: readonly string[]): Promise<number> {
  const count = 10
  const headers = { 'x-telegram-bot-api-secret-token': secret, 'content-type': 'application/json' }
  // People who have written before: Telegram lets a bot write to nobody else.
  for (let n = 0; n < count; n++) await fleet.askTelegram(700 + n, `what is written first ${n}?`)
  await fleet.answered(20_000)
  for (let n = 0; n < count; n++) {
    const update = 8_000_000 + n
    const body = JSON.stringify(toUpdate(700 + n, update))
    const replies = await Promise.all([...urls, ...urls].map((url) => fetch(url, { method: 'POST', body, headers })))
    assert(
      replies.every(({ status }) => status === 200),
      `a push was answered ${replies.map(({ status }) => status).join()}`,
    )
    const dedupe = await fleet.redis.admin.keys(`fl:{p*}:c:telegram:${700 + n}`)
    const seq = await fleet.redis.admin.hget(dedupe[0] ?? '', 'seq')
    assert(seq === '2', `${seq ?? 'no'} mailbox entries for two updates`)
  }
  return count
}

function toUpdate(person: number, update: number): object {
  const chat = { id: person, type: 'private', first_name: 'Someone' }
  const from = { id: person, is_bot: false, first_name: 'Someone' }
  const message = { message_id: 1, date: Math.floor(Date.now() / 1000), chat, from, text: 'what is pushed twice?' }
  return { update_id: update, message }
}

export const webhookSlow: Scenario = {
  name: 'slow-redis-webhook',
  rows: [36],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await using proxy = await startProxy(fleet.redis.port)
    const hook = await createHook()
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    const receiver = await fleet.start('telegram', { ...hook.env, REDIS_URL: proxy.url })
    await fleet.answered(10_000, [await fleet.askTelegram(400, 'what is quick?')])
    proxy.set('delay', 2000)
    const body = JSON.stringify(toUpdate(400, 7_000_000))
    const headers = { 'x-telegram-bot-api-secret-token': secret, 'content-type': 'application/json' }
    const atMs = Date.now()
    const reply = await fetch(hook.url, { method: 'POST', body, headers })
    const tookMs = Date.now() - atMs
    assert(tookMs <= 3200, `a push was answered after ${tookMs} ms`)
    assert(reply.status === 200 || reply.status >= 500, `a push was answered ${reply.status}`)
    for (let n = 0; n < 10; n++) await fleet.askTelegram(410 + n, `what is slow ${n}?`)
    await fleet.pause(5000)
    proxy.set('pass')
    await fleet.answered(30_000)
    assert(receiver.isRunning(), `the receiver ended:\n${receiver.tail()}`)
    await expectInvariants(fleet, { extraModelCalls: 1 })
    note(`Redis 2 s away: a push answered ${reply.status} after ${tookMs} ms; pushed again until stored, once each`)
  },
}
