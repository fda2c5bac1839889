// /tools on a real Redis: what it shows, who may change it, and that a call is refused from then on.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToolRights, type ToolRights } from '#queues/fleet/tool-rights.ts'
import { demoTools } from '#infra/models/demo-tools.ts'
import { createBrowserFetch } from '#services/browser-fetch/browser-fetch.ts'
import { createHttpRequest } from '#services/http-request/http-request.ts'
import { createWebSearch } from '#services/web-search/web-search.ts'
import { createToolRightsFeature } from '#services/tool-rights/tool-rights.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { findRight } from '#shared/run/tool-right.ts'
import { toCommand } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { builtIn, createStage, look, type Stage } from '#test/services/executor/stage.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

let store: Store
let rights: ToolRights
beforeAll(async () => {
  store = await openStore()
  rights = createToolRights(store.redis)
})
afterAll(() => store.stop())

let chats = 0
const bob = 'web:bob'
const isOwner = async (principal: string): Promise<boolean> => principal === 'web:ann'

function open(given: readonly Tool[] = [look, { ...look, name: 'pay', effect: 'write' }]): Stage & {
  command(args: string, more?: object): Promise<string>
  use(principal?: string): Promise<string>
} {
  const tools: Feature = { name: 'shop', tools: given }
  const feature = createToolRightsFeature(
    {
      toolsOfChat: rights.ofChat,
      setToolForChat: rights.setForChat,
      setToolForPerson: rights.setForPerson,
      findToolRight: async () => 'use',
      findApprovers: async () => [],
      isOwner,
      findZoneOf: async () => undefined,
      now: Date.now,
    },
    () => toolsOf([tools]),
  )
  const stage = createStage({
    place: `web:tools-${++chats}`,
    features: [tools, feature],
    isOwner,
    findRight: async (tool, principal, conversation) =>
      findRight(tool.effect, await rights.find(tool.name, toChat(conversation), principal), await isOwner(principal)),
  })
  return {
    ...stage,
    command: (args, more = {}) => stage.ask(`/tools ${args}`, { ...more, as: toCommand('tools', args) }),
    async use(principal = bob) {
      stage.answers({ toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }, 'Done.')
      await stage.ask('Look', { principal })
      const read = stage.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')
      return typeof read?.content === 'string' ? read.content : ''
    },
  }
}
const refusal = 'The person this turn serves may not use "look".'

test('it lists the tools, what each does, and for whom; how to change that only to owners', async () => {
  const { command } = open()
  const list =
    '- **Looks something up** · `look` · changes nothing · everybody\n- **Looks something up** · `pay` · changes things outside · owners'
  expect(await command('', { principal: bob })).toBe(`The tools I can use, and for whom here:\n\n${list}`)
  expect(await command('')).toContain('Use `/tools <name> everybody|owners|nobody|usual`')
})

test('what an owner changes for a chat holds at the next call, there alone', async () => {
  const [here, there] = [open(), open()]
  expect(await here.command('look owners')).toBe('In this chat `look` is for: owners.')
  expect(await here.use()).toBe(refusal)
  expect(await here.use('web:ann')).toBe('nothing new')
  expect(await there.use()).toBe('nothing new')
  await here.command('LOOK Nobody')
  expect(await here.use('web:ann')).toBe(refusal)
  expect(await here.command('')).toContain('`look` · changes nothing · nobody')
  expect(await here.command('look usual')).toBe('In this chat `look` is for: everybody.')
  expect(await here.use()).toBe('nothing new')
})

test('what holds for a person holds everywhere', async () => {
  const [here, there] = [open(), open()]
  expect(await here.command(`look deny ${bob}`)).toBe('web:bob may use `look` nowhere.')
  expect(await there.use()).toBe(refusal)
  await there.command('look owners')
  expect(await here.command('look allow', { replyTo: { messageId: 'x', principal: bob, fromBot: false } })).toContain(
    bob,
  )
  expect(await there.use()).toBe('nothing new')
  expect(await here.command('look usual web:bob')).toContain('For web:bob')
})

test('somebody else changes nothing', async () => {
  const { command, use } = open()
  expect(await command('look nobody', { principal: bob })).toBe('Only an owner can change for whom a tool may be used.')
  expect(await use()).toBe('nothing new')
})

test.each([
  ['nothing owners', 'There is no tool "nothing". /tools lists them.'],
  ['look', 'Use `/tools'],
  ['look perhaps', 'Use `/tools'],
  ['look allow', 'Use `/tools'],
  ['look allow ???', 'Use `/tools'],
  ['look usual bob', 'Use `/tools'],
  ['look owners web:bob', 'Use `/tools'],
  ['look usual web:bob now', 'Use `/tools'],
  ['look constructor', 'Use `/tools'],
  [`${'x'.repeat(500)}\` owners`, `There is no tool "${'x'.repeat(64)}". /tools lists them.`],
])('"%s" is answered with what to write', async (args, said) => {
  expect(await open().command(args)).toContain(said)
})

test('in Chinese', async () => {
  const { command } = open()
  expect(await command('look 关闭')).toBe('在这个聊天里，`look`：谁也不能。')
})

test('every tool of ours says in both languages what it does, and the list shows it', async () => {
  const http = { hosts: ['api.example'], honoursKeys: () => false, send: () => Promise.reject(new Error('unused')) }
  const more = [createWebSearch(async () => []), createBrowserFetch(() => Promise.reject(new Error('unused')))]
  const tools = toolsOf([...builtIn, ...more, createHttpRequest(http)])
  expect(tools.length).toBeGreaterThan(14)
  for (const { name, summary } of [...tools, ...demoTools()]) {
    expect(summary?.en, name).toMatch(/^[A-Z].+\.$/)
    expect(summary?.zh.replace('api.example', ''), name).toMatch(/^[^a-z]+。$/i)
  }
  const stage = open([{ ...look, summary: { zh: '看一看。', en: 'Has a look.' } }])
  expect(await stage.command('', { language: 'zh' })).toContain('- **看一看** · `look` · 什么都不改 · 所有人')
  expect(await stage.command('', { language: 'en' })).toContain(
    '- **Has a look** · `look` · changes nothing · everybody',
  )
})

test.each([
  ['http_request', 'FLOTILLA_HTTP_HOSTS'],
  ['search_web', 'FLOTILLA_SEARCH'],
  ['browser_fetch', 'FLOTILLA_BROWSER_FETCH'],
])('of %s, which is not set up, /tools names the setting, whoever asks and whatever for', async (tool, setting) => {
  const stage = createStage({ place: `web:tools-${++chats}`, features: builtIn, isOwner })
  const command = (args: string, more = {}) => stage.ask(`/tools ${args}`, { ...more, as: toCommand('tools', args) })
  const en = `\`${tool}\` is not set up: my operator has to set \`${setting}\` and start me again. \`infra/docs/tools.md\` says what goes there.`
  for (const args of [tool, `${tool.toUpperCase()} owners`]) expect(await command(args)).toBe(en)
  expect(await command(tool, { principal: bob })).toBe(en)
  await stage.ask('/lang zh', { as: toCommand('lang', 'zh') })
  expect(await command(tool)).toBe(
    `\`${tool}\` 还没有设置好：请管理员设置 \`${setting}\`，然后重新启动。\`infra/docs/tools.md\` 写明怎么填。`,
  )
  expect(await command('nothing')).toContain('没有叫')
})
