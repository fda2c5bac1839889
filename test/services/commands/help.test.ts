// /help: all commands, or one of them with what else is to be told; and that it names where questions and approvals are found.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import { createHelp } from '#services/commands/help.ts'
import { toCommand } from '#test/rig/events.ts'
import { builtIn, createStage } from '#test/services/executor/stage.ts'
import { openShop } from '#test/services/tool-rights/approval-stage.ts'
import { listQuestions } from '#services/questions/list.ts'

async function open(language: string): Promise<(name: string, args?: string) => Promise<string>> {
  const { group } = openShop()
  const ask = async (name: string, args = ''): Promise<string> =>
    await group.ask(`/${name} ${args}`.trim(), { as: toCommand(name, args) })
  await ask('lang', language)
  return ask
}

test.each([
  [
    'en',
    '- /tools — which tools I can use, for whom, and what was approved',
    '`/help remind` tells how to use one of them.',
  ],
  ['zh', '- /tools — 我能用哪些工具，谁可以用，批准过什么', '`/help remind` 这样写，可以看其中一个的用法。'],
])('the list names approvals, and how more is told (%s)', async (language, line, foot) => {
  const lines = (await (await open(language))('help')).split('\n')
  expect(lines).toContain(line)
  expect(lines.at(-1)).toBe(foot)
  expect(lines.length).toBeGreaterThan(8)
})

test.each([
  [
    'en',
    '/tools — which tools',
    'a card asks for it. What was approved for 30 days',
    'There is no such command. /help lists them all.',
  ],
  ['zh', '/tools — 我能用哪些工具', '批准了 30 天的，列在工具下面', '没有这个命令。/help 列出全部命令。'],
])('behind it stands a command: that one alone, and more of it (%s)', async (language, head, more, unknown) => {
  const ask = await open(language)
  for (const args of ['tools', '/tools', 'TOOLS now']) {
    const said = await ask('help', args)
    expect(said.startsWith(head), args).toBe(true)
    expect(said).toContain(more)
    expect(said).not.toContain('/status')
  }
  expect(await ask('help', 'stop')).toMatch(/^\/stop — [^\n]+\n\n`\/stop` ?[^\n]+$/)
  expect(await ask('help', '`x` [y](https://evil.example)')).toBe(unknown)
})

test.each([
  [
    'en',
    'web:stage',
    'No question in this chat waits for your answer. The bell shows those of all your conversations.',
  ],
  ['zh', 'web:stage', '这个聊天里没有等你回答的问题。铃铛列出你所有会话里的。'],
  [
    'en',
    'telegram:7',
    'No question in this chat waits for your answer. What waits in another chat is listed by /questions there.',
  ],
  ['zh', 'telegram:7', '这个聊天里没有等你回答的问题。别的聊天里的，请在那里用 /questions 查看。'],
] as const)('/questions says whose questions it lists, and where the others are (%s, %s)', (language, place, says) => {
  const asked = { principal: 'web:ann', conversation: place, language, state: { questions: () => [] } }
  expect(listQuestions({ now: () => 0 }, asked)).toEqual([{ kind: 'send', text: says }])
  const waiting = { text: 'Which?', to: 'web:ann', kind: 'q.one', urgency: 'normal', about: [] } as const
  const [listed] = listQuestions({ now: () => 0 }, { ...asked, state: { questions: () => [waiting] } })
  const lines = (listed?.kind === 'send' ? listed.text : '').split('\n\n')
  expect(lines.slice(0, 2)).toEqual(
    language === 'zh'
      ? ['这个聊天里等你回答的：', '1. Which? — 排在后面']
      : ['What waits for your answer in this chat:', '1. Which? — waits its turn'],
  )
  expect(says).toContain(
    lines[2]?.replace(/^(?:Press a button on the card, or reply to it\. |请点卡片上的按钮，或回复卡片。)/, ''),
  )
})

test('/help tells more of /questions, too', async () => {
  const more = 'What waits in another chat is listed by `/questions` there'
  expect(await (await open('en'))('help', 'questions')).toContain(more)
})

/** As somebody asks in a place, let in or not. */
async function listFor(
  who: { isOwner?: () => Promise<boolean> },
  event: Partial<MessageEvent>,
  args = '',
): Promise<string> {
  const stage = createStage(who)
  return await stage.ask('/help', { as: toCommand('help', args), ...event })
}
const asMember = { isOwner: async () => false }
const inGroup: Partial<MessageEvent> = { group: true, addressed: true }

test.each([
  ['an owner in a direct chat', {}, {}, ['allow', 'quiet', 'new', 'export', 'remind', 'config'], ['mode']],
  ['an owner in a group', {}, inGroup, ['allow', 'quiet', 'new', 'export', 'mode'], []],
  ['a member in a direct chat', asMember, {}, ['new', 'export', 'remind', 'tools'], ['allow', 'quiet', 'mode']],
  ['a member in a group', asMember, inGroup, ['remind', 'mode', 'stop'], ['allow', 'quiet', 'new', 'export']],
  ['an administrator of a group', asMember, { ...inGroup, senderIsAdmin: true }, ['new', 'export'], ['allow', 'quiet']],
] as const)('%s sees the commands that are of use there', async (_, who, event, has, hasNot) => {
  const listed = [...(await listFor(who, event)).matchAll(/^- \/(\w+) — /gm)].map(([, name]) => name)
  expect(listed).toEqual(expect.arrayContaining([...has]))
  expect(listed.filter((name) => hasNot.some((one) => one === name))).toEqual([])
})

test.each([
  ['Find it', ['**Every day**', '**Reminders and time**', '**This chat**', '**Owners**']],
  ['查一下', ['**日常**', '**提醒和时间**', '**这个聊天**', '**主人**']],
])('the list has a heading for each topic: %s', async (said, headings) => {
  const stage = createStage()
  await stage.ask(said)
  const text = await stage.ask('/help', { as: toCommand('help') })
  expect(text.split('\n').filter((line) => line.startsWith('**'))).toEqual(headings)
  const member = createStage(asMember)
  await member.ask(said)
  expect(await member.ask('/help', { as: toCommand('help') })).not.toContain(headings[3])
})

test('somebody who was not let in sees what is open to all', async () => {
  const help = createHelp({ mayTalk: async () => false, mayAnswer: () => true })
  const features = builtIn.map((feature) => ({
    ...feature,
    ...(feature.commands ? { commands: feature.commands.map((one) => (one.name === 'help' ? help : one)) } : {}),
  }))
  const text = await createStage({ ...asMember, features }).ask('/help', { as: toCommand('help') })
  expect([...text.matchAll(/^- \/(\w+)/gm)].map(([, name]) => name)).toEqual(['help', 'start'])
})

test.each([
  ['allow', asMember, {}, 'Only owners can use it.'],
  ['mode', {}, {}, 'It is for groups.'],
  ['export', asMember, inGroup, 'In a group only owners and admins can use it.'],
] as const)('of /%s it says who can use it, where the sender cannot', async (args, who, event, note) => {
  expect((await listFor(who, event, args)).split('\n').at(-1)).toBe(note)
})

test('every command tells its forms in both languages', async () => {
  const commands = builtIn.flatMap((feature) => feature.commands ?? [])
  expect(commands.length).toBeGreaterThan(20)
  for (const { name, more } of commands)
    for (const language of ['en', 'zh'] as const)
      expect(more?.[language], `${name} ${language}`).toContain(`\`/${name}`)
})
