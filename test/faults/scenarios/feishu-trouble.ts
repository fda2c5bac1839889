// Rows 30 to 33 on Feishu, one after the other in one fleet with two senders: it asks to wait, answers 502, breaks off or says nothing though it
// has shown what was sent; it takes the token back, the app is switched off, the bot is put out of a group, the month's calls are used
// up. What can be sent is seen once, nobody asks in a tight loop, and what somebody has to mend is told.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import type { Feishu, FeishuCall } from '#test/faults/rig/feishu.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { groupPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const people = 20
const offMs = 40_000
/** A row that meets an app that is out of order is tried again so often; two are under way at each end. */
const retryMs = 30_000

type Stage = {
  readonly fleet: Fleet
  readonly feishu: Feishu
  readonly note: (line: string) => void
  /** So many people say something; resolves when all are answered. */
  answered(what: string, timeoutMs?: number): Promise<number>
}

export const feishuTrouble: Scenario = {
  name: 'feishu-trouble',
  rows: [30, 31, 32, 33],
  async run(note) {
    await using fleet = await startFleet({ feishu: true })
    const { feishu } = fleet
    assert(feishu !== undefined, 'there is no Feishu')
    await Promise.all(['router', 'executor', 'feishu', 'feishu'].map((role) => fleet.start(role)))
    await feishu.connected(2)
    let first = 600
    const stage: Stage = {
      fleet,
      feishu,
      note,
      async answered(what, timeoutMs = 60_000) {
        first += people
        const atMs = Date.now()
        await askAll(fleet, first, what)
        await fleet.answered(timeoutMs)
        return Date.now() - atMs
      },
    }
    await stage.answered('before')
    await asksToWait(stage)
    await breaksOff(stage)
    await takesTokenBack(stage)
    await isOff(stage)
    await putsOut(stage)
    await isUsedUp(stage)
    for (const role of fleet.roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    const twice = [...fleet.talk.asked.values()].filter(({ id }) => fleet.talk.answersTo(id).length > 1)
    assert(twice.length === 0, `answered twice: ${twice.map(({ text }) => text).join(', ')}`)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
  },
}

const askAll = (fleet: Fleet, from: number, what: string) =>
  Promise.all(Array.from({ length: people }, (_, i) => fleet.askFeishu(from + i, `what is it ${what}?`)))

/** The calls of a while; those for tokens and connections too. */
async function callsDuring({ feishu }: Stage, work: () => Promise<unknown>): Promise<readonly FeishuCall[]> {
  const since = (await feishu.calls()).at(-1)?.n ?? 0
  await work()
  return (await feishu.calls()).filter(({ n }) => n > since)
}

async function asksToWait(stage: Stage): Promise<void> {
  const resetS = 4
  await stage.feishu.control({
    do: 'fault',
    rule: { when: { route: 'createMessage' }, times: 1, fault: { kind: 'rate-limit', resetS } },
  })
  await stage.feishu.control({
    do: 'fault',
    rule: { when: { route: 'createMessage' }, times: 5, fault: { kind: 'chat-limit' } },
  })
  let tookMs = 0
  const calls = await callsDuring(stage, async () => (tookMs = await stage.answered('when it asks to wait')))
  const early = calls.filter(({ isDuringWait }) => isDuringWait).length
  const refused = calls.filter(({ outcome }) => outcome === 'refused').length
  stage.note(
    `asks to wait ${resetS} s: ${people} answered after ${tookMs} ms, ${refused} refused, ${early} of them during the wait`,
  )
  // What was on its way when the first was refused.
  assert(early <= 10, `${early} requests during the wait`)
  assert(tookMs >= resetS * 1000, 'nobody waited')
}

async function breaksOff(stage: Stage): Promise<void> {
  const faults = ['bad-gateway', 'reset', 'no-answer', 'half'] as const
  for (const kind of faults)
    for (const accepted of kind === 'half' ? [true] : [false, true])
      await stage.feishu.control({
        do: 'fault',
        rule: { when: { route: 'createMessage' }, times: 2, fault: { kind, accepted } },
      })
  let tookMs = 0
  const calls = await callsDuring(stage, async () => (tookMs = await stage.answered('when it breaks off')))
  const lost = calls.filter(({ outcome }) => outcome === 'lost').length
  stage.note(
    `breaks off: ${people} answered after ${tookMs} ms, once each, though ${lost} answers to requests that took effect were lost`,
  )
  assert(lost >= 8, `${lost} answers were lost`)
  await stage.feishu.control({ do: 'clearFaults' })
}

async function takesTokenBack(stage: Stage): Promise<void> {
  await stage.feishu.control({ do: 'revokeTokens' })
  const calls = await callsDuring(stage, () => stage.answered('when the token is taken back'))
  const tokens = calls.filter(({ route }) => route === 'getTenantToken').length
  const refused = calls.filter(({ code }) => code === 99_991_663).length
  stage.note(`token taken back: ${refused} refused, ${tokens} asked for by two processes`)
  assert(tokens >= 1 && tokens <= 2, `${tokens} tokens were asked for`)
}

async function isOff(stage: Stage): Promise<void> {
  const { fleet, feishu } = stage
  // Of an app that is off Feishu tells nothing more.
  await fleet.model.latency(3000)
  await askAll(fleet, 900, 'when the app is off')
  await fleet.pause(1500)
  await feishu.control({ do: 'changeApp', isEnabled: false })
  await fleet.model.latency(0)
  const calls = await callsDuring(stage, () => fleet.pause(offMs))
  const most = people * (1 + Math.ceil(offMs / retryMs)) * 2
  const told = countTold(fleet, 'The app is switched off')
  stage.note(
    `app off for ${offMs} ms: ${calls.length} calls for ${people} answers, told ${told} times by two processes`,
  )
  assert(calls.length <= most, `${calls.length} calls in ${offMs} ms`)
  assert(told >= 1 && told <= 4, `it was told ${told} times that the app is off`)
  await feishu.control({ do: 'changeApp', isEnabled: true })
  const onAtMs = Date.now()
  await fleet.answered(2 * retryMs)
  stage.note(`app on again: all answered ${Date.now() - onAtMs} ms later`)
}

/** The answer that waits for its chat is not sent; others go on, and the chat too once the bot is back. */
async function putsOut(stage: Stage): Promise<void> {
  const { fleet, feishu } = stage
  const place = await groupPlace(fleet, 'feishu', { by: 950, admins: [] })
  const [, chat = ''] = place.conversation.split(':')
  await eventually(async () => (await place.said())[0], 'nobody greets the group')
  await fleet.model.latency(3000)
  await place.say('what is said when it is out?')
  await fleet.pause(1000)
  await feishu.control({ do: 'removeBot', chat, by: 'Person 950' })
  await fleet.model.latency(0)
  const calls = await callsDuring(stage, () =>
    stage.answered('when it is out of a group').then(() => fleet.pause(5000)),
  )
  const tries = calls.filter((call) => call.chat === chat).length
  assert(tries <= 3, `${tries} calls about a chat that the bot is not in`)
  await feishu.control({ do: 'addBot', chat, by: 'Person 950' })
  await place.say('what is said when it is back?')
  await eventually(
    async () => (await place.said()).find(({ text }) => text.includes('what is said when it is back?')),
    async () => `nobody answers in the group: ${JSON.stringify(await place.said())}`,
  )
  stage.note(`put out of a group: ${tries} calls about it, ${people} others answered; back in it, it is answered`)
}

/** What is said meanwhile is not answered: it is told, and everything goes on in the next month. */
async function isUsedUp(stage: Stage): Promise<void> {
  const { fleet, feishu } = stage
  await feishu.control({ do: 'changeApp', quotaPerMonth: 1 })
  const asked: Awaited<ReturnType<Fleet['askFeishu']>>[] = []
  const calls = await callsDuring(stage, async () => {
    asked.push(...(await askAll(fleet, 970, 'when the month is used up')))
    await fleet.pause(20_000)
  })
  const told = countTold(fleet, 'used up its calls')
  stage.note(`calls used up: ${calls.length} calls in 20 s for ${people} answers, told ${told} times by two processes`)
  await feishu.control({ do: 'changeApp', quotaPerMonth: 'none' })
  await fleet.pause(65_000)
  const open = asked.filter(({ id }) => fleet.talk.open.has(id)).length
  const again = await Promise.all(
    Array.from({ length: people }, (_, i) => fleet.askFeishu(970 + i, 'what is it after?')),
  )
  await fleet.answered(60_000, again)
  stage.note(`calls again: ${people - open} of the ${people} that waited were answered, and all that was said then`)
  assert(calls.length <= people * 4, `${calls.length} calls in 20 s`)
  assert(told >= 1 && told <= 4, `it was told ${told} times that the calls are used up`)
}

/** Lines of the senders that say so. */
function countTold(fleet: Fleet, words: string): number {
  return fleet.roles
    .filter(({ name }) => name === 'feishu')
    .flatMap((role) => role.tail(400).split('\n'))
    .filter((line) => line.includes(words)).length
}
