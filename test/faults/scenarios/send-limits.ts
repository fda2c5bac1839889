// Row 30 and the flood of issue 3: three messages into each of a thousand chats by two senders, while Telegram enforces what it documents
// and asks some chats to wait. Nothing is lost or out of order, nobody asks during a wait, and little of the allowed rate is wasted.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import type { TelegramCall } from '#test/faults/rig/telegram.ts'
import { toBody } from '#test/rig/journal-entries.ts'

const chats = 1000
const each = 3
const perSecond = 30
const waitingChats = 20
const waitS = 5

export const sendLimits: Scenario = {
  name: 'send-limits',
  rows: [30, 'issue 3, must show 5'],
  async run(note) {
    await using fleet = await startFleet({
      telegram: true,
      leaseMs: 3000,
      ledger: 'counters',
      env: { TELEGRAM_RATES: `${perSecond},1,20` },
    })
    const { telegram } = fleet
    assert(telegram !== undefined, 'there is no Telegram')
    await telegram.control({ do: 'setLimits', limits: { perSecond, perChatPerSecond: 1, perGroupPerMinute: 20 } })
    for (let chat = 1; chat <= chats; chat++) {
      await telegram.control({ do: 'sendText', from: chat, text: '/none' })
      if (chat > waitingChats) continue
      const fault = { kind: 'rate-limit', retryAfterS: waitS }
      await telegram.control({ do: 'fault', rule: { when: { method: 'sendMessage', chat }, times: 1, fault } })
    }
    await Promise.all(Array.from({ length: chats }, (_, i) => queueRows(fleet, `telegram:${i + 1}`)))
    const startedAtMs = Date.now()
    await Promise.all([fleet.start('telegram'), fleet.start('telegram')])
    await Promise.all(Array.from({ length: chats }, (_, i) => fleet.hints.outbound(`telegram:${i + 1}`)))
    const sends = async (): Promise<readonly TelegramCall[]> =>
      (await telegram.calls()).filter((call) => call.method === 'sendMessage')
    let found = await sends()
    while (found.filter(isShown).length < chats * each && Date.now() - startedAtMs < 200_000) {
      await fleet.pause(1000)
      found = await sends()
    }
    const shown = found.filter(isShown)
    const tookMs = Math.max(...shown.map((call) => call.at)) - Math.min(...shown.map((call) => call.at))
    const allowedMs = (chats * each * 1000) / perSecond
    const early = found.filter((call) => isWithinWait(call, found))
    const refused = found.filter((call) => call.outcome === 'refused').length
    note(
      `${shown.length} of ${chats * each} messages in ${tookMs} ms, ${(tookMs / allowedMs).toFixed(2)} times what the limits ` +
        `allow; ${refused} refused for ${waitingChats} waits asked for; ${early.length} requests during a wait`,
    )
    assert(shown.length === chats * each, `${shown.length} messages arrived`)
    const twice = shown.map(toText).find((text, i, all) => all.indexOf(text) < i)
    assert(twice === undefined, `"${twice}" was said twice`)
    for (let chat = 1; chat <= chats; chat++) {
      const texts = shown.filter((call) => call.params['chat_id'] === chat).map(toText)
      assert(texts.join() === toTexts(`telegram:${chat}`).join(), `chat ${chat} saw ${texts.join()}`)
    }
    assert(early.length === 0, `${early.length} requests during a flood wait, first ${JSON.stringify(early[0])}`)
    assert(tookMs <= allowedMs * 1.2, `${tookMs} ms for ${allowedMs} ms of the allowed rate`)
  },
}

const isShown = (call: TelegramCall): boolean => call.accepted
const toText = (call: TelegramCall): string => String(call.params['text'])
const toTexts = (conversation: string): string[] =>
  Array.from({ length: each }, (_, n) => `${conversation} message ${n + 1}`)

const waitMs = (told: TelegramCall): number => Number(/retry after (\d+)/.exec(told.description ?? '')?.[1] ?? 0) * 1000

/** Whether the same chat had been told to wait, and the wait was not over. */
function isWithinWait(call: TelegramCall, all: readonly TelegramCall[]): boolean {
  return all.some(
    (told) =>
      told.outcome === 'refused' &&
      told.n < call.n &&
      told.params['chat_id'] === call.params['chat_id'] &&
      call.at < (told.endedAt ?? told.at) + waitMs(told),
  )
}

async function queueRows(fleet: Fleet, conversation: string): Promise<void> {
  const claimed = await fleet.kernel.claim(conversation, 'test', 1000)
  if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
  const rows = toTexts(conversation).map((text, n) => ({
    id: `row-${n}`,
    body: toBody(text),
    expiresInMs: 600_000,
  }))
  await fleet.kernel.append(conversation, claimed.epoch, { key: 'rows', entries: [], rows })
}
