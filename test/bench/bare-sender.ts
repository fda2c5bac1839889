// The baseline of delivery: the platform's SDK alone, in a process of its own, sending as many texts at once as it is told.
import './count-writes.ts'
import process from 'node:process'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'
import { text } from './delivery-text.ts'
import type { PlatformName } from './platform.ts'

export type BareSending = { readonly chats: readonly string[]; readonly atOnce: number }

const opened = { telegram: openTelegram, discord: openDiscord, feishu: openFeishu }
// Started by the bench alone.
const send = await opened[process.argv[2] as PlatformName]()

serveParent(async (question) => {
  if (!isSending(question)) return readStats()
  const chats = [...question.chats]
  const sender = async (): Promise<void> => {
    for (let chat = chats.pop(); chat !== undefined; chat = chats.pop()) await send(chat)
  }
  await Promise.all(Array.from({ length: question.atOnce }, sender))
  return undefined
})
process.once('SIGTERM', () => process.exit(0))

function isSending(question: unknown): question is BareSending {
  return typeof question === 'object' && question !== null && 'chats' in question
}

type Send = (chat: string) => Promise<unknown>

// Each loads its own SDK, which is a good part of what it costs.
async function openTelegram(): Promise<Send> {
  const { Api } = await import('grammy')
  const api = new Api(process.env['TELEGRAM_BOT_TOKEN'] ?? '', { apiRoot: process.env['TELEGRAM_API_ROOT'] ?? '' })
  return (chat) => api.sendMessage(Number(chat), text)
}

async function openDiscord(): Promise<Send> {
  const { REST } = await import('@discordjs/rest')
  const rest = new REST({ api: process.env['DISCORD_API_ROOT'] ?? '', globalRequestsPerSecond: Infinity })
  rest.setToken(process.env['DISCORD_BOT_TOKEN'] ?? '')
  return (chat) => rest.post(`/channels/${chat}/messages`, { body: { content: text } })
}

async function openFeishu(): Promise<Send> {
  const { Client, LoggerLevel } = await import('@larksuiteoapi/node-sdk')
  const { FEISHU_APP_ID: appId = '', FEISHU_APP_SECRET: appSecret = '', FEISHU_DOMAIN: domain = '' } = process.env
  const client = new Client({ appId, appSecret, domain, loggerLevel: LoggerLevel.error })
  const content = JSON.stringify({ schema: '2.0', body: { elements: [{ tag: 'markdown', content: text }] } })
  return (chat) =>
    client.im.v1.message.create({
      params: { receive_id_type: 'open_id' },
      data: { receive_id: chat, msg_type: 'interactive', content },
    })
}
