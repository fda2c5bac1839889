// The Feishu simulator's events against examples in the shape of the vendor's documentation (test/replay/feishu, each with its source):
// the same fields, each of the same kind. Fields that an example has only in other circumstances are in neither.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listen, readBody, sendJson, type Listening } from '#test/simulators/http-server.ts'
import { createBell } from '#test/simulators/signals.ts'
import { card, startRig, type Rig } from './feishu-bot.ts'

const folder = 'test/replay/feishu'
const envelope = z.strictObject({
  schema: z.literal('2.0'),
  header: z.looseObject({ event_type: z.string(), create_time: z.string() }),
  event: z.record(z.string(), z.unknown()),
})
const example = z.strictObject({ source: z.url(), payload: envelope })

let rig: Rig
let receiver: Listening
let pushed: z.infer<typeof envelope>[]
const bell = createBell()

beforeAll(async () => {
  rig = await startRig({ limits: 'off' })
  pushed = []
  receiver = await listen(async ({ req, res }) => {
    const body: unknown = JSON.parse((await readBody(req)).toString('utf8'))
    const challenge = z.looseObject({ challenge: z.string() }).safeParse(body)
    if (challenge.success) return sendJson(res, 200, { challenge: challenge.data.challenge })
    pushed.push(envelope.parse(body))
    bell.ring()
    sendJson(res, 200, {})
  }, 0)
  await rig.feishu.setWebhook({ url: receiver.origin })
})

afterAll(async () => {
  await receiver.close()
  await rig[Symbol.asyncDispose]()
})

/** How the simulator is brought to send each example. */
const acts: Readonly<Record<string, () => void | Promise<void>>> = {
  'message-group': () => void rig.ann.say(rig.group, '@Flotilla hello'),
  'message-reply': () => void rig.ann.say(rig.group, 'hello', { replyTo: rig.ann.say(rig.group, 'x') }),
  'message-topic': () => {
    const thread = rig.ann.openThread(rig.group, 'x')
    rig.ann.say(rig.group, '@Flotilla hello', { thread })
  },
  'message-p2p': () => void rig.ann.say(rig.ann.dm, 'hello'),
  'message-recalled': () => rig.feishu.person('Olga').recall(rig.group, rig.ann.say(rig.group, 'x')),
  'reaction-created': () => rig.ann.react(rig.group, rig.ann.say(rig.group, 'x'), 'SMILE'),
  'reaction-deleted': () => {
    const message = rig.ann.say(rig.group, 'x')
    rig.ann.react(rig.group, message, 'SMILE')
    rig.ann.unreact(rig.group, message, 'SMILE')
  },
  'message-read': async () => {
    await rig.send('text', { text: 'x' }, rig.ann.openId)
    rig.ann.read(rig.ann.dm)
  },
  'bot-added': () => void rig.feishu.addGroup(),
  'bot-deleted': () => rig.feishu.removeBot(rig.feishu.addGroup(), 'Olga'),
  'chat-disbanded': () => rig.feishu.disband(rig.feishu.addGroup(), 'Olga'),
  'chat-renamed': () => rig.feishu.rename(rig.group, 'Olga', 'new'),
  'direct-chat-entered': () => {
    rig.ann.say(rig.ann.dm, 'x')
    rig.ann.enter()
  },
  menu: () => rig.ann.menu('config'),
  'card-action': async () => {
    const asked = card('ask')
    const button = {
      tag: 'button',
      name: 'Button_1',
      text: { tag: 'plain_text', content: 'Go' },
      behaviors: [{ type: 'callback', value: { key: 'value' } }],
    }
    const { message_id: id } = await rig.send('interactive', { ...asked, body: { elements: [button] } })
    rig.ann.press(rig.group, id, 'Go')
  },
}

const files = readdirSync(folder)

test('has a way to bring about every recorded payload', () => {
  const byName = (a: string, b: string) => a.localeCompare(b)
  expect(files.toSorted(byName)).toEqual(
    Object.keys(acts)
      .map((name) => `${name}.json`)
      .toSorted(byName),
  )
})

test.each(files)('sends what %s shows', async (file) => {
  const { payload } = example.parse(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
  const { event_type: type, create_time: time } = payload.header
  const before = pushed.length
  await acts[file.replace('.json', '')]?.()
  const shape = JSON.stringify(toShape(payload))
  const ofType = () => pushed.slice(before).filter(({ header }) => header.event_type === type)
  const sent = await bell.until(
    () => {
      const all = ofType()
      // Of several messages, the one that is meant comes last, or earlier over another connection.
      return all.find((one) => JSON.stringify(toShape(one)) === shape) ?? (all.length >= 3 ? all.at(-1) : undefined)
    },
    `${type} of the documented shape; came ${JSON.stringify(ofType())}`,
    3000,
  )
  expect(toShape(sent)).toEqual(toShape(payload))
  expect(sent.header.create_time).toHaveLength(time.length)
})

/** Every field by its path, with the kind of its value, in the order of the names; the first item stands for a list. */
function toShape(value: unknown, path = ''): Record<string, string> {
  if (Array.isArray(value)) return { [path]: 'list', ...(value.length === 0 ? {} : toShape(value[0], `${path}[]`)) }
  if (typeof value !== 'object' || value === null) return { [path]: value === null ? 'null' : typeof value }
  const fields = Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b))
  return Object.assign({}, ...fields.map(([name, inner]) => toShape(inner, `${path}.${name}`)))
}
