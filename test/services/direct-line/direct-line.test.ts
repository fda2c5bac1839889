// Who cannot be reached alone is told once in the group how to open a direct chat.
import { expect, test } from 'vitest'
import { findDirectLine, type DirectLineDeps } from '#services/direct-line/direct-line.ts'

const link = 'https://t.me/flotilla_bot?start=hello'
const who = { principal: 'telegram:7', conversation: 'telegram:-5:3', language: 'en' } as const

function open(person: Awaited<ReturnType<DirectLineDeps['find']>>, known: string | undefined = link): DirectLineDeps {
  const told = new Set<string>()
  return {
    find: async () => person,
    findLink: async (channel) => (channel === 'telegram' ? known : undefined),
    mayTell: async (principal, chat) => !told.has(`${principal} ${chat}`) && told.add(`${principal} ${chat}`).size > 0,
  }
}

test('who has a direct chat is reached', async () => {
  expect(await findDirectLine(open({ direct: { telegram: 'telegram:7' } }), who)).toEqual({ kind: 'reached' })
})

test('who has none is told the link once in each group, in their language', async () => {
  const deps = open({ direct: {} })
  expect(await findDirectLine(deps, who)).toEqual({ kind: 'line', text: expect.stringContaining(link) })
  expect(await findDirectLine(deps, { ...who, conversation: 'telegram:-5:4' })).toEqual({ kind: 'silent' })
  const other = await findDirectLine(deps, { ...who, conversation: 'telegram:-6', language: 'zh' })
  expect(other).toEqual({ kind: 'line', text: `有些话我想只对你说，请先打开与我的私聊，并发一条消息：${link}` })
})

test('who blocked the bot is told so', async () => {
  const deps = open({ direct: { telegram: 'telegram:7' }, blockedSinceMs: 1 })
  expect(await findDirectLine(deps, who)).toEqual({
    kind: 'line',
    text: expect.stringContaining('you have blocked me'),
  })
})

test('where the platform has no link nothing is said, and nothing counts as said', async () => {
  const deps = open({ direct: {} }, '')
  expect(await findDirectLine({ ...deps, findLink: async () => undefined }, who)).toEqual({ kind: 'silent' })
  expect((await findDirectLine(deps, who)).kind).toBe('line')
})
