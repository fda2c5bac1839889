// The scene's stage on Telegram: a forum topic in a supergroup, with Telegram's limits enforced. Ann owns the bot and adds it.
import { startFleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startTelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import type { TgEntity } from '#test/simulators/telegram/types.ts'
import type { VisibleMessage } from '#test/simulators/telegram/visible.ts'
import { bot, createSceneLog, type Seen, type Stage, type Who } from './scene-stage.ts'

const ids: Readonly<Record<Who, number>> = { Ann: 11, Bob: 12, Chen: 13 }
const group = -100_777
/** As Telegram documents them. */
const documented = { perSecond: 30, perChatPerSecond: 1, perGroupPerMinute: 20 }
/** So that the scene does not last minutes. */
const brisk = { perSecond: 30, perChatPerSecond: 5, perGroupPerMinute: 100 }

export async function openTelegram(pace: 'documented' | 'brisk'): Promise<Stage> {
  const limits = pace === 'brisk' ? brisk : documented
  const patienceMs = pace === 'brisk' ? 15_000 : 90_000
  const telegram = await startTelegramSimulator({ limits })
  for (const [first_name, id] of Object.entries(ids)) {
    telegram.addUser({ id, is_bot: false, first_name, language_code: first_name === 'Chen' ? 'zh-hans' : 'en' })
  }
  const fleet = await startFleet({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      TELEGRAM_RATES: Object.values(limits).join(),
      FLOTILLA_OWNERS: `telegram:${ids.Ann}`,
    },
  })
  const stop = await startPlatform(fleet.runtime, 'telegram')
  telegram.addBotToGroup({ chat: group, by: ids.Ann, isForum: true, isBotAdmin: true, title: 'Friends' })
  await telegram.until(() => telegram.visible(group).find((one) => one.from === 'bot'))
  const topic = telegram.createTopic({ chat: group, by: ids.Ann, name: 'Trip' })
  const before = new Set(telegram.visible(group).map(({ id }) => id))

  const photos = new Map<number, string>()
  const seen = (): Seen[] =>
    telegram.visible(group).flatMap((one) => (before.has(one.id) ? [] : [toSeen(one, topic, photos.get(one.id))]))
  const log = createSceneLog({
    seen,
    typingAtMs: () => {
      const action = telegram.action(group)
      return action?.topic === topic ? action.at : undefined
    },
  })
  const watch = { isOver: false }
  const watching = telegram.until(() => {
    log.look()
    return watch.isOver || undefined
  }, 300_000)

  const calls = () => telegram.ledger.entries.filter(({ params }) => params['chat_id'] === group)
  return {
    fleet,
    mention: `@${telegram.bot.username}`,
    maxChars: 4096,
    takesTables: true,
    echoesCommands: false,
    say: (who, text, replyTo) =>
      String(
        telegram.sendText({
          from: ids[who],
          chat: group,
          topic,
          text,
          ...(replyTo ? { replyTo: Number(replyTo) } : {}),
        }).message,
      ),
    sendAlbum(who, caption, files) {
      const album = { from: ids[who], chat: group, topic, kind: 'photo', extra: { media_group_id: 'album-1' } } as const
      const sent = files.map((name, i) => {
        const { message } = telegram.sendMedia({ ...album, name, ...(i === 0 ? { caption } : {}) })
        photos.set(message, name)
        return message
      })
      return String(sent[0])
    },
    edit: (who, message, text) => void telegram.edit({ from: ids[who], chat: group, message: Number(message), text }),
    react(who, message, emoji) {
      log.note(`${who} reacts ${emoji} to ${log.nameOf(message)}`)
      telegram.react({ from: ids[who], chat: group, message: Number(message), emoji })
    },
    command: (who, name) =>
      void telegram.sendText({ from: ids[who], chat: group, topic, text: `/${name}@${telegram.bot.username}` }),
    async press(who, message, label) {
      const shown = telegram.visible(group).find(({ id }) => String(id) === message)
      const data = shown?.buttons.flat().find(({ text }) => text === label)?.data
      if (data === undefined) throw new Error(`Message ${message} shows no button ${label}`)
      log.note(`${who} presses [ ${label} ]`)
      const { id } = telegram.press({ from: ids[who], chat: group, message: Number(message), data })
      const { text = '' } = await telegram.until(() => telegram.pressAnswer(id))
      if (text) log.note(`   (only ${who} sees: ${text})`)
      return text
    },
    seen,
    until: (find) => telegram.until(find, patienceMs),
    askToWait(seconds) {
      log.note(`   (the next edit is answered 429: wait ${seconds} s)`)
      const fault = { kind: 'rate-limit', retryAfterS: seconds } as const
      telegram.fault({ when: { method: 'editMessageText', chat: group }, times: 1, fault })
    },
    waits() {
      const told = calls().filter(({ status }) => status === 429)
      const broken = told.flatMap((one) => {
        const untilMs = one.at + Number(/retry after (\d+)/.exec(one.description ?? '')?.[1] ?? 0) * 1000
        return calls().filter(({ n, at }) => n > one.n && at < untilMs)
      })
      return { asked: told.length, broken: broken.length }
    },
    note: log.note,
    transcript: log.print,
    async [Symbol.asyncDispose]() {
      watch.isOver = true
      await stop()
      await watching.catch(() => {})
      await fleet[Symbol.asyncDispose]()
      await telegram.close()
    },
  }
}

function toSeen(one: VisibleMessage, topic: number, photo: string | undefined): Seen {
  const by = Object.entries(ids).find(([, id]) => id === one.from)?.[0]
  const place = one.topic === topic ? '' : '(outside the topic) '
  return {
    id: String(one.id),
    by: by === 'Ann' || by === 'Bob' || by === 'Chen' ? by : bot,
    text: place + withMarks(one.text, one.entities),
    texts: one.texts,
    buttons: one.buttons.map((row) => row.map(({ text }) => text)),
    replyTo: one.replyTo === undefined ? undefined : String(one.replyTo),
    files: photo === undefined ? [] : [photo],
    reaction: one.reaction,
  }
}

const marks: Readonly<Record<string, string>> = {
  bold: '**',
  italic: '_',
  code: '`',
  strikethrough: '~~',
  underline: '__',
}

/** Entities as marks in the text, so that a transcript shows them. */
function withMarks(text: string, entities: readonly TgEntity[]): string {
  const inserts = entities.flatMap(({ type, offset, length, language = '', url = '' }) => {
    const mark = marks[type]
    if (mark)
      return [
        { at: offset, put: mark },
        { at: offset + length, put: mark },
      ]
    if (type === 'pre')
      return [
        { at: offset, put: `\`\`\`${language}\n` },
        { at: offset + length, put: '\n```' },
      ]
    if (type === 'text_link')
      return [
        { at: offset, put: '[' },
        { at: offset + length, put: `](${url})` },
      ]
    if (type === 'blockquote')
      return [
        { at: offset, put: '❝' },
        { at: offset + length, put: '❞' },
      ]
    return []
  })
  return inserts
    .toSorted((a, b) => b.at - a.at)
    .reduce((marked, { at, put }) => marked.slice(0, at) + put + marked.slice(at), text)
}
