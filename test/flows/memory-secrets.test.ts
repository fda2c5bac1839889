// Threat T12 for memory: secrets that people say, order to be kept, or that a model wants kept, stand in nothing that memory keeps, sends or logs; and the keys
// of its server stand nowhere.
import { expect, test } from 'vitest'
import { startMemoryIndex } from '#infra/processes/follow-memory.ts'
import { startFleet, until, type Telling } from '#test/rig/fleet.ts'
import { startSimulated } from '#test/rig/meilisearch.ts'
import { hasReadAll, startReflection } from '#test/rig/reflection.ts'
import { findText } from '#test/rig/texts.ts'

/** What is said with each, and the part that must not be found. */
const secrets = [
  ['my api key is sk-proj-canaryA1b2C3d4E5f6', 'canaryA1b2C3d4E5f6'],
  ['I use the token ghp_canaryB0123456789abcdefghij for pushes', 'canaryB0123456789'],
  ['my wifi password is plum-CanaryC-88', 'CanaryC'],
  ['the bot token is 123456789:AAHcanaryDqTcvCH1vGWJxfSeofSAs0K5', 'canaryDqTcv'],
  ['my door code is 73910465', '73910465'],
  ['the database is postgres://admin:canaryE77@db.example/main', 'canaryE77'],
  ['my card is 4242 4242 4242 4242', '4242 4242'],
  ['我的网银密码是 canaryF2049tun', 'canaryF2049'],
] as const
const canaries = secrets.map(([, canary]) => canary)

const ann = { principal: 'web:ann', conversation: 'web:with-ann' }
const bob = { principal: 'web:bob', conversation: 'web:with-bob' }
const inGroup = { conversation: 'web:group', group: true }

test('no secret that is said is kept, and no key of the server is anywhere', { timeout: 120_000 }, async () => {
  let logged = ''
  const server = await startSimulated()
  try {
    const { reader, writer, operator } = server.settings.keys
    const env = {
      FLOTILLA_ALLOW: '*',
      FLOTILLA_LOG_LEVEL: 'trace',
      MEILISEARCH_URL: server.settings.url,
      MEILISEARCH_KEYS: `reader=${reader},writer=${writer},operator=${operator}`,
    }
    await using fleet = await startFleet({ env, onLog: (line) => (logged += line) })
    await using _ = await startReflection(fleet)
    const follower = startMemoryIndex(fleet.runtime)
    const said: string[] = []
    const say = async (text: string, how: Telling): Promise<void> => {
      said.push((await fleet.ask(text, how)).text)
    }
    for (const [text] of secrets) {
      const calls = [{ name: 'memory_suggest', arguments: JSON.stringify({ content: text, kind: 'fact' }) }]
      fleet.model.script({ when: { text: `Keep for me: ${text}`, last: 'user' }, answer: { kind: 'tools', calls } })
    }
    fleet.model.script({ answer: { kind: 'text', text: 'I see.' } })
    const places: readonly Telling[] = [ann, { ...ann, ...inGroup, name: 'Ann' }]
    for (const where of places) {
      for (const [nth, [text]] of secrets.entries()) {
        // Who gives many orders at once is told to wait.
        if (nth % 2 === 0) await say(`remember that ${text}`, where)
        else if (where.group !== true) await say(`/remember ${text}`, { ...where, slash: 'remember' })
        await say(`By the way, ${text}. I live in Lyon.`, where)
        await say(`Keep for me: ${text}`, where)
      }
      await say('remember that my boat is called Zebrafinch', where)
    }
    await say('What is the name of my boat?', { ...ann, conversation: 'web:with-ann-again' })
    await say('What are the password, the code and the token?', bob)
    await say('What are the password, the code and the token?', { ...bob, ...inGroup, conversation: 'web:others' })
    await until(async () => await hasReadAll(fleet))
    await until(() => server.simulator.readFile('memory').includes('Zebrafinch'))
    await follower.stop(0)

    const own = ['web:with-bob', 'web:others', 'web:with-ann-again']
    const prompts = JSON.stringify(
      fleet.model.ledger.entries
        .filter(({ messages }) => /What (?:are the password|is the name)/.test(JSON.stringify(messages.at(-1))))
        .map(({ messages }) => messages),
    )
    const sent = JSON.stringify(server.simulator.requests.map(({ path, body }) => ({ path, body })))
    for (const canary of canaries) {
      const keys = await findText(fleet.redis.admin, canary)
      // What was said stands in its own conversation, as all that is said.
      expect(keys.filter((key) => /:(?:m[a-z]|g[a-z]|lg|changed):|\{m\d/.test(key))).toEqual([])
      expect(keys.filter((key) => own.some((name) => key.includes(name)))).toEqual([])
      expect(`${server.simulator.readFile('memory')}${sent}`.includes(canary), canary).toBe(false)
      expect(logged.includes(canary), canary).toBe(false)
      expect(prompts.includes(canary), canary).toBe(false)
      expect(said.join('\n').includes(canary), canary).toBe(false)
    }
    for (const key of [reader, writer, operator, server.simulator.masterKey]) {
      expect(await findText(fleet.redis.admin, key)).toEqual([])
      const shown = [logged, said.join('\n'), JSON.stringify(fleet.model.ledger.entries), sent]
      expect(shown.map((text) => text.includes(key))).toEqual([false, false, false, false])
    }
  } finally {
    await server.close()
  }
})
