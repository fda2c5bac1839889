// A Telegram group with four topics asks twice what may be sent there, for ten minutes and a quarter as much again, scaled to a tenth: the
// group may be sent 180 messages a minute, and a reply is given up after one minute. The permits go to answers, one notice tells what was
// lost, whose questions are put off hear so in few words, and a question after the load is answered at once.
import { z } from 'zod'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import type { Telegram, TelegramCall } from '#test/faults/rig/telegram.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'

const group = -1001
const lifeMs = 60_000
const perSecond = 3
/** What the budget gives out: it keeps a margin of 7 %. */
const permitMs = (1000 / perSecond) * 1.07
/** A row expires only after its life. */
const questions = Math.ceil((lifeMs / permitMs) * 2.5)
const topicNames = ['one', 'two', 'three', 'four']
const peopleInTopic = 40
/** A load is over when none of it came within a fortieth of a reply's life, and what is known of it is three permits of a topic old. */
const overMs = lifeMs / 40 + 3 * topicNames.length * permitMs
/**
 * So many permits of all topics may be taken before a new question's: of its own, one is promised, and one goes to what let it pass. One
 * more goes while its answer is made.
 */
const mostBefore = 3 * topicNames.length + 1
/** Among people in one topic it is said so often that questions are put off. */
const saidEveryMs = lifeMs / 5

export const twiceCapacity: Scenario = {
  name: 'twice-capacity',
  rows: [30, 'twice what may be sent'],
  async run(note) {
    await using fleet = await startFleet({
      telegram: true,
      leaseMs: 3000,
      ledger: 'counters',
      env: { TELEGRAM_RATES: `10000,${perSecond},${perSecond * 60}`, REPLY_EXPIRES_IN_MS: String(lifeMs) },
    })
    const { telegram } = fleet
    assert(telegram !== undefined, 'there is no Telegram')
    const people = await openGroup(telegram)
    await Promise.all(['router', 'executor', 'telegram', 'telegram'].map((role) => fleet.start(role)))
    await people.welcomed()

    const startedAtMs = Date.now()
    for (let n = 1; n <= questions; n++) {
      const aheadMs = startedAtMs + (n * permitMs) / 2 - Date.now()
      if (aheadMs > 0) await fleet.pause(aheadMs)
      await people.ask(n)
    }
    const tookMs = Date.now() - startedAtMs
    const used = toPlaces(await telegram.calls(), startedAtMs)
    const answers = used.filter(isAnswer)
    await fleet.pause(overMs)
    const last = await people.ask(questions + 1)
    const answeredMs = (await untilAnswered(fleet, telegram, questions + 1)) - last
    const after = toPlaces(await telegram.calls(), last)
    const before = after.findIndex((call) => toNumber(call) === questions + 1)
    await Promise.all(fleet.roles.map((role) => role.stop()))

    const all = toPlaces(await telegram.calls(), startedAtMs)
    const told = all.filter(({ params }) => String(params['text']).startsWith('I am asked for more here'))
    const notices = all.filter(({ params }) => /could not be sent in time/.test(String(params['text'])))
    const begun = (await fleet.model.counters()).requests
    const lost = await countLost(fleet)
    const noticed = lost.waiting + notices.reduce((sum, { params }) => sum + toLost(String(params['text'])), 0)
    note(
      `${questions} questions in ${tookMs} ms; of ${Math.floor(tookMs / permitMs)} permits ${used.length} were used, ${answers.length} for ` +
        `answers; ${lost.expired} answers were given up, told in ${notices.length} notices; ${questions + 1 - begun} questions were ` +
        `put off, told ${told.length} times; a question after the load was answered after ${answeredMs} ms, ${before} permits later`,
    )
    assert(used.length >= (tookMs / permitMs) * 0.9, `only ${used.length} permits were used`)
    assert(answers.length >= used.length * 0.9, `${answers.length} of ${used.length} permits went to answers`)
    assert(new Set(answers.map(toNumber)).size === answers.length, 'something was answered twice')
    assert(lost.expired > 0 && noticed === lost.expired, `${lost.expired} answers were given up and ${noticed} told`)
    assert(notices.length <= all.length / 20 + 1, `${notices.length} notices took permits`)
    assert(begun < questions, 'no question was put off')
    assert(told.length > 0, 'nobody was told')
    for (const topic of people.topics) {
      const here = told.filter(({ params }) => params['message_thread_id'] === topic)
      assert(here.length <= 1 + tookMs / saidEveryMs, `it was said ${here.length} times in one topic`)
    }
    assert(before >= 0 && before <= mostBefore, `${before} permits were taken before a question after the load`)
  },
}

type People = {
  readonly topics: readonly number[]
  /** Resolves once the bot has said hello, which takes a permit too. */
  welcomed(): Promise<void>
  /** Resolves with when it was asked. */
  ask(n: number): Promise<number>
}

const topicId = z.number()

async function openGroup(telegram: Telegram): Promise<People> {
  await telegram.control({ do: 'addBotToGroup', chat: group, by: 1, isForum: true })
  const topics: number[] = []
  for (const name of topicNames)
    topics.push(topicId.parse(await telegram.control({ do: 'createTopic', chat: group, by: 1, name })))
  return {
    topics,
    async welcomed() {
      while (toPlaces(await telegram.calls(), 0).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    },
    async ask(n) {
      const from = 1000 + (n % (topics.length * peopleInTopic))
      const text = `@flotilla_test_bot what is it? #${n}.`
      const atMs = Date.now()
      await telegram.control({ do: 'sendText', from, chat: group, topic: topics[n % topics.length], text })
      return atMs
    },
  }
}

/** What took a permit of the group's from then on. */
function toPlaces(calls: readonly TelegramCall[], sinceMs: number): TelegramCall[] {
  return calls.filter(
    ({ accepted, method, params, at }) =>
      accepted && at >= sinceMs && params['chat_id'] === group && /^(send|edit|set)(?!ChatAction|My)/.test(method),
  )
}

/** Which question is answered. */
function toNumber({ params }: TelegramCall): number | undefined {
  const [, digits] = /echo: .*#(\d+)\.$/s.exec(String(params['text'])) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const isAnswer = (call: TelegramCall): boolean => toNumber(call) !== undefined

const toLost = (text: string): number => Number(/^(\d+) of/.exec(text)?.[1] ?? 1)

async function untilAnswered(fleet: Fleet, telegram: Telegram, n: number): Promise<number> {
  for (const untilMs = Date.now() + 20_000; Date.now() < untilMs; await fleet.pause(100)) {
    const found = (await telegram.calls()).find((call) => call.accepted && toNumber(call) === n)
    if (found) return found.at
  }
  return Infinity
}

/** Answers that were given up, and how many of them are to be told by notices that still wait. */
async function countLost({ redis }: Fleet): Promise<{ readonly expired: number; readonly waiting: number }> {
  const rows = await readStoredRows(redis.admin, 'telegram:')
  const notices = rows.filter(({ id, fields }) => id.startsWith('notice-') && fields['s'] === 'queued')
  const isLost = ({ id, fields }: (typeof rows)[number]): boolean =>
    fields['s'] === 'expired' && 'notice' in fields && !id.startsWith('notice-')
  return {
    expired: rows.filter(isLost).length,
    waiting: notices.reduce((sum, { fields }) => sum + Number(/"count":(\d+)/.exec(fields['b'] ?? '')?.[1] ?? 0), 0),
  }
}
