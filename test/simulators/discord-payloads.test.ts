// The Discord simulator's gateway payloads against examples in the shape of the vendor's documentation (test/replay/discord): the
// same fields, each of the same kind. Fields of undocumented kinds that real payloads also carry are in neither.
// https://discord.com/developers/docs/events/gateway-events
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { row, startRig, type Connected, type GatewayEvent, type Rig } from './discord-bot.ts'

const folder = 'test/replay/discord'
const recorded = z.object({ t: z.string(), d: z.record(z.string(), z.unknown()) })

let rig: Rig
let bot: Connected

beforeAll(async () => {
  rig = await startRig()
  bot = await rig.connect()
})

afterAll(async () => {
  await bot[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

/** How the simulator is brought to send each example; gives the id by which to know the event. */
const acts: Readonly<Record<string, () => string | Promise<string>>> = {
  'message-create-guild': () => ann().say(rig.guild.channel, `<@${rig.discord.bot.id}> hello`),
  'message-create-dm': () => ann().say(ann().dm, 'hello'),
  'message-create-thread': () => ann().say(ann().openThread(rig.guild.channel, 'topic'), 'inside'),
  'message-create-reply': () => {
    const question = rig.discord.person('Bob').say(rig.guild.channel, 'what is life?')
    return ann().reply(rig.guild.channel, question, 'hm')
  },
  'message-create-forward': () => {
    const message = rig.discord.person('Bob').say(rig.guild.channel, 'what is life?')
    return ann().say(rig.guild.channel, '', { forwardOf: { channel: rig.guild.channel, message } })
  },
  'message-create-attachment': () =>
    ann().say(rig.guild.channel, 'see', { files: [{ name: 'notes.txt', content: 'notes' }] }),
  'message-create-webhook': () => rig.discord.sayAsWebhook({ channel: rig.guild.channel, name: 'News', text: 'news' }),
  'message-create-bot': () => rig.discord.person('Other', { isBot: true }).say(rig.guild.channel, 'beep'),
  'message-update-embeds': () => {
    const message = ann().say(rig.guild.channel, 'https://example.com/')
    rig.discord.embedsArrive({ channel: rig.guild.channel, message })
    return message
  },
  'message-delete': () => {
    const message = ann().say(rig.guild.channel, 'oops')
    ann().delete(rig.guild.channel, message)
    return message
  },
  'message-reaction-add': () => {
    const message = ann().say(rig.guild.channel, 'nice')
    ann().react(rig.guild.channel, message, '👍')
    return message
  },
  'thread-create': () => ann().openThread(rig.guild.channel, 'topic'),
  'interaction-button': async () => {
    const { id } = await rig.send({ content: 'ask', components: [row('go')] })
    return ann().press(rig.guild.channel, id, 'go')
  },
  'interaction-slash': async () => {
    await registerAsk()
    return ann().slash(rig.guild.channel, 'ask', { what: 'time' })
  },
  'interaction-slash-dm': async () => {
    await registerAsk()
    return ann().slash(rig.discord.person('Ann').dm, 'ask', { what: 'time' })
  },
}

const ann = () => rig.discord.person('Ann')

async function registerAsk(): Promise<void> {
  const options = [{ name: 'what', description: 'What', type: 3 }]
  const body = [{ name: 'ask', description: 'Asks', options }]
  await rig.rest.put(`/applications/${rig.discord.applicationId}/commands`, { body })
}

const files = readdirSync(folder)

test('has a way to bring about every recorded payload', () => {
  expect(files.toSorted((left, right) => left.localeCompare(right))).toEqual(
    Object.keys(acts)
      .map((name) => `${name}.json`)
      .toSorted((left, right) => left.localeCompare(right)),
  )
})

test.each(files)('sends what %s shows', async (file) => {
  const example = recorded.parse(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
  const id = await acts[file.replace('.json', '')]?.()
  const sent: GatewayEvent = await bot.next(example.t, (d) => d['id'] === id || d['message_id'] === id)
  expect(toShape(sent.d)).toEqual(toShape(example.d))
})

/** Every field by its path, with the kind of its value; the first item stands for a list. */
function toShape(value: unknown, path = ''): Record<string, string> {
  if (Array.isArray(value)) return { [path]: 'list', ...(value.length === 0 ? {} : toShape(value[0], `${path}[]`)) }
  if (typeof value !== 'object' || value === null) return { [path]: value === null ? 'null' : typeof value }
  return Object.assign({}, ...Object.entries(value).map(([name, inner]) => toShape(inner, `${path}.${name}`)))
}
