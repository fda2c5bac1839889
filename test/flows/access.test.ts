// Who may talk, and what it may cost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
})

const stranger = { principal: 'telegram:77', conversation: 'web:stranger' }

test('tells a stranger how to ask for access, without a model call', async () => {
  const reply = await fleet.ask('what is the weather?', stranger)
  expect(reply.text).toContain('telegram:77')
  expect(fleet.model.ledger.entries).toHaveLength(0)
})

test('an owner lets a person in by id, and out again', async () => {
  const guest = { principal: 'web:guest', conversation: 'web:guest' }
  await fleet.ask('/allow web:guest', { slash: 'allow' })
  expect((await fleet.ask('may I ask why?', guest)).text).toContain('echo: may I ask why?')
  await fleet.ask('/allow -web:guest', { slash: 'allow' })
  expect((await fleet.ask('and now, why?', guest)).text).toContain('web:guest')
})

test('only an owner may let people in', async () => {
  await fleet.ask('/allow web:limited', { slash: 'allow' })
  const reply = await fleet.ask('/allow web:friend', {
    principal: 'web:limited',
    conversation: 'web:l',
    slash: 'allow',
  })
  expect(reply.text).toMatch(/owner|主人/)
  expect((await fleet.ask('why?', { principal: 'web:friend', conversation: 'web:f' })).text).toContain('web:friend')
})

test('how to use the one-time code is told while it can make an owner, to whoever writes', async () => {
  const zoe = { principal: 'web:zoe' }
  const whoIsAsked = 'Hello! I do not know you yet. Ask my owner to send /allow web:zoe.'
  const how = `${whoIsAsked} If that is you, send /start <code> with the code shown when I was started.`
  let room = 0
  // Within an hour a chat hears it once.
  const heard = async (of: Fleet): Promise<string[]> => {
    const conversation = `web:zoe${++room}`
    const replies = [
      await of.ask('/start', { ...zoe, conversation, slash: 'start' }),
      await of.ask('hello', { ...zoe, conversation }),
    ]
    return replies.map(({ text }) => text)
  }
  expect(await heard(fleet)).toEqual([whoIsAsked, whoIsAsked])
  const code = await fleet.runtime.access.code('abcdefgh2345')
  expect(await heard(fleet)).toEqual([how, how])
  expect((await fleet.ask('你好', { ...zoe, conversation: 'web:zh' })).text).toMatch(
    /\/allow web:zoe 放行。如果你就是主人.*\/start <代码>。$/,
  )
  await using owned = await startFleet({ redisUrl: fleet.redis.url, env: { FLOTILLA_OWNERS: 'web:boss' }, parts: [] })
  expect(await owned.runtime.access.isCodeOpen()).toBe(false)
  expect(await owned.runtime.access.code('zzzzzzzz2345')).toBeUndefined()
  expect(await owned.runtime.access.claimOwner('web:yan', code ?? '')).toBe(false)
  await fleet.ask(`/start ${code}`, { principal: 'web:yan', conversation: 'web:yan', slash: 'start' })
  expect(await heard(fleet)).toEqual([whoIsAsked, whoIsAsked])
})

test('the one-time code makes one person the owner', async () => {
  await using fresh = await startFleet()
  const code = await fresh.runtime.access.code('abcdefgh2345')
  expect(code).toBe('abcdefgh2345')
  const ann = { principal: 'web:ann', conversation: 'web:ann', slash: 'start' }
  const bob = { principal: 'web:bob', conversation: 'web:bob', slash: 'start' }
  expect((await fresh.ask('/start wrongcode', ann)).text).toMatch(/wrong/)
  expect((await fresh.ask(`/start ${code}`, ann)).text).toMatch(/you are now the owner/i)
  expect((await fresh.ask(`/start ${code}`, bob)).text).toMatch(/wrong/)
  expect(await fresh.runtime.access.code('zzzzzzzz2345')).toBeUndefined()
})

test('a stranger who repeats /start and /help is answered ten times, and can still become the owner', async () => {
  await using fresh = await startFleet()
  const code = await fresh.runtime.access.code('abcdefgh2345')
  const eve = { principal: 'web:eve', conversation: 'web:eve' }
  for (let n = 0; n < 10; n++) {
    await fresh.tell('/start', { ...eve, slash: 'start' })
    await fresh.tell('/help', { ...eve, slash: 'help' })
    await fresh.tell('/start wrongcode', { ...eve, slash: 'start' })
  }
  const claimed = await fresh.ask(`/start ${code}`, { ...eve, slash: 'start' })
  expect(claimed.text).toMatch(/you are now the owner/i)
  expect(await fresh.said('web:eve')).toHaveLength(11)
  expect((await fresh.ask('/help', { ...eve, slash: 'help' })).text).toContain('/status')
})

test('a group that nobody admitted gets one notice, then silence; then its members talk', async () => {
  const member = { principal: 'web:member', conversation: 'web:group', group: true, addressed: true }
  const first = await fleet.ask('bot, what is new?', member)
  expect(first.text).toContain('/allow here')
  await fleet.tell('bot? why?', member)
  await fleet.ask('/allow here', { conversation: 'web:group', group: true, addressed: true, slash: 'allow' })
  expect((await fleet.ask('bot, and now why?', member)).text).toContain('echo')
  expect((await fleet.said('web:group')).filter((said) => said.text.includes('/allow here'))).toHaveLength(1)
})

test('a group is admitted when an owner adds the bot, not when somebody else does', async () => {
  const added = (conversation: string, principal: string): Promise<void> =>
    fleet.send({
      v: 1,
      kind: 'join',
      id: `join-${conversation}`,
      conversation,
      principal,
      at: Date.now(),
      title: 'Team',
    })
  await added('web:team', 'web:owner')
  await fleet.replyTo('join-web:team', 'web:team')
  const member = { principal: 'web:mia', group: true, addressed: true }
  expect((await fleet.ask('bot, why?', { ...member, conversation: 'web:team' })).text).toContain('echo')
  await added('web:others', 'web:mallory')
  expect((await fleet.replyTo('join-web:others', 'web:others')).text).toContain('/allow here')
})

test('an owner is removed by another one, never by themselves, and never the last', async () => {
  await using small = await startFleet()
  const code = await small.runtime.access.code('the-code')
  const ann = { principal: 'telegram:5', conversation: 'telegram:5' } as const
  expect(await small.runtime.access.claimOwner(ann.principal, code ?? '')).toBe(true)
  const allow = async (args: string): Promise<string> => (await small.ask(`/allow ${args}`, { slash: 'allow' })).text
  expect(await allow('-telegram:5')).toContain('is the only owner')
  await small.runtime.redis.hset('fl:{access}', 'owner:telegram:6', 'code')
  expect(await allow('-telegram:5')).toContain('no longer an owner')
  expect(await small.runtime.access.find('telegram:5', 'telegram:5')).toMatchObject({ owner: false, person: false })
  expect(await allow('-web:owner')).toContain('cannot remove yourself')
  expect(await allow('-console:owner')).toContain('by the settings')
  await allow('telegram:8')
  expect(await allow('-telegram:8')).toBe('telegram:8 may no longer talk to me.')
})

test('an owner’s stop in a group ends the turns of all, also where the platform knows them as nobody', async () => {
  await using small = await startFleet()
  const group = { conversation: 'web:group', group: true, addressed: true } as const
  await small.runtime.access.admit('chat', 'web:group', 'web:owner')
  small.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const id = await small.tell('stall', { ...group, principal: 'web:ann' })
  await until(() => small.model.ledger.entries.length === 1)
  const stop = await small.tell('/stop', { ...group, principal: 'web:owner', slash: 'stop' })
  expect((await small.replyTo(id, 'web:group')).answers).toEqual([id, stop])
})

test('a used-up daily budget is said clearly, and costs nothing more', async () => {
  await using small = await startFleet({ env: { FLOTILLA_DAILY_TOKENS_PERSON: '9000' } })
  await small.ask('first question, why?')
  const spent = await small.runtime.modelGate.spent(
    small.runtime.payer({ conversation: 'web:room', principal: 'web:owner' }),
  )
  expect(spent.person.tokens).toBeGreaterThan(50)
  const call = small.runtime.modelGate
  await call.reserve(small.runtime.payer({ conversation: 'web:room', principal: 'web:owner' }), 'other', {
    tokens: 8900 - spent.person.tokens,
    micros: 0,
  })
  const before = small.model.ledger.entries.length
  expect((await small.ask('second question, why?')).text).toContain('budget')
  expect(small.model.ledger.entries).toHaveLength(before)
})
