// The baseline of delivery: the platform's SDK alone, in a process of its own, sending as many texts at once as it is told.
import './count-writes.ts'
import process from 'node:process'
import { REST } from '@discordjs/rest'
import { Api } from 'grammy'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'
import { text } from './delivery-text.ts'

export type BareSending = { readonly chats: readonly string[]; readonly atOnce: number }

const send = process.argv[2] === 'discord' ? openDiscord() : openTelegram()

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

function openTelegram(): (chat: string) => Promise<unknown> {
  const api = new Api(process.env['TELEGRAM_BOT_TOKEN'] ?? '', { apiRoot: process.env['TELEGRAM_API_ROOT'] ?? '' })
  return (chat) => api.sendMessage(Number(chat), text)
}

function openDiscord(): (chat: string) => Promise<unknown> {
  const rest = new REST({ api: process.env['DISCORD_API_ROOT'] ?? '', globalRequestsPerSecond: Infinity })
  rest.setToken(process.env['DISCORD_BOT_TOKEN'] ?? '')
  return (chat) => rest.post(`/channels/${chat}/messages`, { body: { content: text } })
}
