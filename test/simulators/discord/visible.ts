// What a person sees in a channel now: messages that are not deleted, with their latest text, buttons, files and reactions; and
// what became of a press or a command.
import { messageFlags } from './bits.ts'
import { messageTypes } from './types.ts'
import type { Channel, Interaction, Pings, StoredMessage, World } from './world.ts'

export type VisibleButton = {
  readonly label: string
  readonly customId: string | undefined
  readonly url: string | undefined
  readonly style: number
  readonly isDisabled: boolean
}

export type VisibleMessage = {
  readonly id: string
  /** `bot`, or the author's id. */
  readonly from: string
  /** The author's name as shown. */
  readonly name: string
  readonly text: string
  /** How often it was edited, and all its texts, the first one first. */
  readonly edits: number
  readonly texts: readonly string[]
  readonly buttons: readonly (readonly VisibleButton[])[]
  readonly replyTo: string | undefined
  readonly forwardOf: string | undefined
  /** Whom it really pinged when it came. */
  readonly pings: Pings
  /** False when the sender suppressed embeds. */
  readonly hasLinkPreview: boolean
  /** Addresses in the text that Discord fetches to show a preview; none for those in angle brackets or code. */
  readonly previews: readonly string[]
  readonly embeds: number
  readonly files: readonly string[]
  /** What those files hold, read as text. */
  readonly fileTexts: readonly string[]
  /** Names of those who reacted, by emoji. */
  readonly reactions: Readonly<Record<string, readonly string[]>>
  /** Seen by one person only. */
  readonly isEphemeral: boolean
  /** A deferred answer that shows "thinking…". */
  readonly isLoading: boolean
  readonly thread: string | undefined
  readonly nonce: string | number | undefined
  readonly at: number
}

/** Messages in order of id; service messages are left out, and ephemeral ones unless they are for the viewer. */
export function toVisible(world: World, channel: Channel, viewer: string | undefined): VisibleMessage[] {
  const service: readonly number[] = [messageTypes.threadCreated, messageTypes.threadStarter, messageTypes.memberJoin]
  return [...channel.messages.values()]
    .filter((one) => !one.isDeleted && !service.includes(one.type))
    .filter(({ onlyFor }) => onlyFor === undefined || onlyFor === viewer)
    .map((one) => toVisibleMessage(world, one))
}

function toVisibleMessage(world: World, stored: StoredMessage): VisibleMessage {
  const { author, texts, rows } = stored
  const nameOf = (id: string) => world.users.get(id)?.global_name ?? world.users.get(id)?.username ?? id
  return {
    id: stored.id,
    from: author.id === world.bot.id ? 'bot' : author.id,
    name: author.global_name ?? author.username,
    text: stored.content,
    edits: stored.editedAt === undefined ? 0 : Math.max(texts.length - 1, 0),
    texts: [...texts],
    buttons: rows.map((row) =>
      row.components.map(({ label = '', custom_id, url, style, disabled = false }) => ({
        label,
        customId: custom_id,
        url,
        style,
        isDisabled: disabled,
      })),
    ),
    replyTo: stored.replyTo?.id,
    forwardOf: stored.forwardOf?.id,
    pings: stored.pings,
    hasLinkPreview: (stored.flags & messageFlags.SuppressEmbeds) === 0,
    previews: findPreviews(stored),
    embeds: stored.embeds.length,
    files: stored.attachments.map(({ filename }) => filename),
    fileTexts: stored.attachments.map(({ id }) => world.files.get(id)?.bytes.toString() ?? ''),
    reactions: Object.fromEntries([...stored.reactions].map(([emoji, users]) => [emoji, [...users].map(nameOf)])),
    isEphemeral: stored.onlyFor !== undefined,
    isLoading: (stored.flags & messageFlags.Loading) !== 0,
    thread: stored.thread?.id,
    nonce: stored.nonce,
    at: stored.createdAt,
  }
}

function findPreviews({ flags, content }: StoredMessage): string[] {
  if ((flags & messageFlags.SuppressEmbeds) !== 0) return []
  const plain = content.replaceAll(/```[\s\S]*?```|`[^`\n]*`|<https?:[^>\s]*>/g, '')
  return [...plain.matchAll(/https?:\/\/[^\s<>)\]]+/g)].map(([url]) => url)
}

/** What the person who pressed or ran a command sees of it. */
export type VisibleInteraction = {
  readonly id: string
  readonly token: string
  /** `failed`: Discord shows "This interaction failed", since no answer came in time. */
  readonly state: 'waiting' | 'answered' | 'failed'
  /** The callback's type, and how long after the press it came. */
  readonly type: number | undefined
  readonly answeredAfterMs: number | undefined
  /** The answer, with ephemeral ones, and follow-ups, that are not deleted. */
  readonly answers: readonly VisibleMessage[]
}

export function toVisibleInteraction(world: World, interaction: Interaction, timeoutMs: number): VisibleInteraction {
  const { ack, original, followUps, at } = interaction
  const isLate = Date.now() - at > timeoutMs
  const own = original === interaction.message ? [] : [original]
  const answers = [...own, ...followUps].filter((one) => one !== undefined && !one.isDeleted)
  return {
    id: interaction.id,
    token: interaction.token,
    state: ack !== undefined ? 'answered' : isLate ? 'failed' : 'waiting',
    type: ack?.type,
    answeredAfterMs: ack === undefined ? undefined : ack.at - at,
    answers: answers.flatMap((one) => (one === undefined ? [] : [toVisibleMessage(world, one)])),
  }
}
