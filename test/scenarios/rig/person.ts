// The owner at the web page, over HTTP as the page does it. What the page cannot do comes in as another channel would bring it: what somebody
// else says in the same conversation, and an edit.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'
import { prepareEvent, storeEvent } from '#queues/workers/ingest-event.ts'
import { bot, type Seen } from '#test/rig/chats/chat.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { edit, message } from '#test/rig/events.ts'
import type { Person } from './scenario.ts'
import type { Stand } from './stand.ts'

export type Played = Person & {
  /** What the bot shows now, oldest first; where the owner is spoken to alone after that. */
  said(): Promise<readonly Seen[]>
}

const patienceMs = 40_000
const lookEveryMs = 60

/** The owner in one conversation of the page. */
function createVoice(stand: Stand, name: string) {
  const chat = createWebChat({ ...stand.web, name })
  const said = async (): Promise<readonly Seen[]> => (await chat.seen()).filter(({ by }) => by === bot)
  const find = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await sleep(lookEveryMs)) {
      const found = await look().catch(() => undefined)
      if (found !== undefined) return found
    }
    const texts = (await said().catch(() => [])).map((one) => one.text)
    throw new Error(`Waited in vain for ${what}. Said was ${JSON.stringify(texts)}`)
  }
  return {
    said,
    find,
    say: async (text: string, replyTo?: string) => await chat.say('the owner', text, { replyTo }),
    command: async (text: string) => void (await chat.say('the owner', text)),
    async hear(part: string, nth = 1) {
      await find(`"${part}"`, async () => (await said()).filter(({ text }) => text.includes(part))[nth - 1])
    },
    hearOneOf: async (...parts: readonly string[]) =>
      await find(`one of "${parts.join('", "')}"`, async () => {
        const texts = (await said()).map(({ text }) => text)
        return parts.find((part) => texts.some((text) => text.includes(part)))
      }),
    async press(label: string) {
      const button = await find(`a button ${label}`, async () =>
        (await said()).flatMap(({ buttons }) => buttons.flat()).findLast((one) => one.label === label),
      )
      // Whoever is told nothing presses again.
      await find(`what came of ${label}`, async () => await chat.forge('the owner', '', button.data).notice())
    },
  }
}

export function createPerson(stand: Stand, run: string): Played {
  const conversation = `web:${run}`
  const here = createVoice(stand, run)
  const direct = createVoice(stand, `${run}-direct`)
  const { find, command, hear, hearOneOf, press } = here
  let last = ''
  const ingest = async (event: ChatEvent): Promise<void> => {
    await storeEvent(stand, await prepareEvent({}, event, { dedupeKey: event.id, echo: true }))
  }
  const saidBy = async (principal: PrincipalId, text: string, group: boolean): Promise<void> => {
    const id = `o-${randomUUID()}`
    const parsed = parseCommand(text)
    const said = parsed ? { text, command: parsed } : { text: `${text} (${run})` }
    await ingest(message({ id, messageId: id, conversation, principal, at: Date.now(), group, ...said }))
  }
  return {
    run,
    command,
    hear,
    hearOneOf,
    press,
    direct,
    said: async () => [...(await here.said()), ...(await direct.said())],
    say: async (text) => void (last = await here.say(`${text} (${run})`)),
    async reply(part, text) {
      const card = await find(`a card with "${part}"`, async () =>
        (await here.said()).findLast((one) => one.text.includes(part)),
      )
      last = await here.say(text, 'row' in card ? String(card.row) : '')
    },
    held: async (what) => await (what === 'model' ? stand.model.held(run) : stand.world.held(run)),
    letGo: (what) => (what === 'model' ? stand.model.letGo(run) : stand.world.letGo(run)),
    other: (text) => saidBy('web:bob', text, false),
    member: (text) => saidBy('web:bob', text, true),
    owner: (text) => saidBy('web:owner', text, true),
    async edit(text) {
      const about = { id: `e-${randomUUID()}`, conversation, principal: 'web:owner', at: Date.now(), messageId: last }
      await ingest(edit(`${text} (${run})`, about))
    },
    async waiting(count) {
      await find(`${count} events in the mailbox`, async () => {
        const { events } = await stand.kernel.pending(conversation, 0)
        return events.length >= count || undefined
      })
    },
    async kept(count) {
      await find(
        `${count} texts kept`,
        async () => (await stand.kernel.listArtifacts(conversation)).length >= count || undefined,
      )
    },
  }
}
