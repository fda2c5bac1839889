// The scene's stage on Discord: a thread in a guild's channel, with Discord's limits enforced. Ann owns the bot and lets the channel in.
import { startFleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'
import type { DcUser } from '#test/simulators/discord/types.ts'
import type { VisibleMessage } from '#test/simulators/discord/visible.ts'
import { bot, createSceneLog, type Seen, type Stage } from './scene-stage.ts'

const patienceMs = 15_000

export async function openDiscord(): Promise<Stage> {
  const discord = await startDiscordSimulator()
  const people = { Ann: discord.person('Ann'), Bob: discord.person('Bob'), Chen: discord.person('Chen') }
  const fleet = await startFleet({
    env: {
      DISCORD_BOT_TOKEN: discord.token,
      DISCORD_API_ROOT: discord.apiRoot,
      FLOTILLA_OWNERS: `discord:${people.Ann.id}`,
    },
  })
  const stop = await startPlatform(fleet.runtime, 'discord')
  await discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
  const { channel } = discord.addGuild({ name: 'Friends', owner: 'Ann', members: ['Bob', 'Chen'] })
  const mention = `<@${discord.bot.id}>`
  const admitting = people.Ann.say(channel, `${mention} /allow here`)
  await discord.until(() => discord.visible(channel).find(({ replyTo }) => replyTo === admitting))
  const thread = people.Ann.openThread(channel, 'Trip')

  const seen = (): Seen[] => discord.visible(thread).map((one) => toSeen(one, discord.bot))
  const log = createSceneLog({ seen, typingAtMs: () => discord.typing(thread) })
  /** What people do rings no bell. */
  const seeing = <T>(result: T): T => {
    log.look()
    return result
  }
  const watch = { isOver: false }
  const watching = discord.until(() => {
    log.look()
    return watch.isOver || undefined
  }, 300_000)

  const calls = () => discord.ledger.entries.filter((one) => one.channel === thread)
  return {
    fleet,
    mention,
    maxChars: 2000,
    takesTables: false,
    echoesCommands: true,
    say: (who, text, replyTo) => seeing(people[who].say(thread, text, { replyTo })),
    sendAlbum(who, caption, names) {
      const files = names.map((name) => ({ name, content: name, type: 'image/jpeg' }))
      return seeing(people[who].say(thread, caption, { files }))
    },
    edit: (who, message, text) => seeing(people[who].edit(thread, message, text)),
    react(who, message, emoji) {
      log.note(`${who} reacts ${emoji} to ${log.nameOf(message)}`)
      people[who].react(thread, message, emoji)
    },
    command(who, name) {
      log.note(`${who} uses /${name}`)
      people[who].slash(thread, name)
    },
    async press(who, message, label) {
      log.note(`${who} presses [ ${label} ]`)
      const id = people[who].press(thread, message, label)
      const answered = await discord.until(() => {
        const found = discord.interaction(id)
        return found.state === 'waiting' ? undefined : found
      })
      const text = answered.answers.map((one) => one.text).join('\n')
      if (answered.state === 'failed') log.note(`   (only ${who} sees: This interaction failed)`)
      else if (text) log.note(`   (only ${who} sees: ${text})`)
      return text
    },
    seen,
    until: (find) => discord.until(find, patienceMs),
    askToWait(seconds) {
      log.note(`   (the next edit is answered 429: wait ${seconds} s)`)
      const fault = { kind: 'rate-limit', retryAfterS: seconds } as const
      discord.fault({ when: { route: 'editMessage', channel: thread }, times: 1, fault })
    },
    waits() {
      const told = calls().filter(({ status }) => status === 429)
      const broken = told.flatMap((one) => {
        const untilMs = one.at + Number(/retry after ([\d.]+) ms/.exec(one.description ?? '')?.[1] ?? 0)
        return calls().filter(({ n, at }) => n > one.n && at < untilMs)
      })
      return { asked: told.length, broken: broken.length + discord.ledger.duringWait().length }
    },
    note: log.note,
    transcript: log.print,
    async [Symbol.asyncDispose]() {
      watch.isOver = true
      await stop()
      await watching.catch(() => {})
      await fleet[Symbol.asyncDispose]()
      await discord.close()
    },
  }
}

function toSeen(one: VisibleMessage, self: Pick<DcUser, 'id' | 'username'>): Seen {
  const { name, from } = one
  const reaction = Object.entries(one.reactions).find(([, names]) => names.includes(self.username))?.[0]
  return {
    id: one.id,
    by: from !== 'bot' && (name === 'Ann' || name === 'Bob' || name === 'Chen') ? name : bot,
    // As Discord shows a mention.
    text: one.text.replaceAll(`<@${self.id}>`, `@${self.username}`),
    texts: one.texts,
    buttons: one.buttons.map((row) => row.map(({ label }) => label)),
    replyTo: one.replyTo,
    files: one.files,
    reaction,
  }
}
