// What went over Telegram's wire, as its simulator noted it: what people saw when, and what they did.
import { z } from 'zod'

const button = z.object({ text: z.string(), data: z.string().optional() })
const visible = z.object({
  id: z.number(),
  from: z.union([z.literal('bot'), z.number()]),
  text: z.string(),
  texts: z.array(z.string()),
  replyTo: z.number().optional(),
  buttons: z.array(z.array(button)),
  date: z.number(),
})
const chatOf = z.object({ result: z.object({ visible: z.array(visible) }) })

/** Buttons that cards of questions to people have, and no other message. */
const onCards = /^(?:Not now|改天再问)$/

export type Visible = z.infer<typeof visible> & { readonly isCard: boolean }

/** Heads of cards, in both languages. */
const asksByItself =
  /^(?:\*\*\d \/ \d\*\*|\d \/ \d)|^(?:\*\*)?(?:Shall I remember this|要我记住吗|I need to know|Please choose|One step I cannot take myself|我需要了解|请选择|有一步我自己做不了)/

/** A text of the bot as it first stood in a chat; `at`: when it was sent, ms since 1970, to the second. */
export type Shown = {
  readonly at: number
  readonly chat: number
  readonly message: number
  readonly text: string
  /** It took the place of another text. */
  readonly isEdit: boolean
  readonly isCard: boolean
  readonly labels: readonly string[]
}
export type Deed = {
  readonly at: number
  readonly by: number
  readonly chat: number
  readonly act: 'says' | 'presses'
  readonly text: string
  /** The message that it is about. */
  readonly on: number | undefined
}

export type Wire = {
  look(chat: number): Promise<readonly Visible[]>
  note(deed: Deed): void
  /** Notes what is new, and says in which chats. */
  read(): Promise<ReadonlySet<number>>
  readonly shown: readonly Shown[]
  readonly deeds: readonly Deed[]
}

const ledger = z.object({
  entries: z.array(
    z.object({
      n: z.number(),
      at: z.number(),
      method: z.string(),
      params: z.looseObject({ chat_id: z.union([z.number(), z.string()]).optional() }),
      accepted: z.boolean(),
      message: z.number().optional(),
    }),
  ),
})

export function createWire(apiRoot: string): Wire {
  const [shown, deeds]: [Shown[], Deed[]] = [[], []]
  /** When each text of a message came. */
  const times = new Map<string, number[]>()
  const known = new Map<string, number>()
  let readTo = 0
  const look = async (chat: number): Promise<readonly Visible[]> => {
    const reply: unknown = await (await fetch(`${apiRoot}/__chat?chat=${chat}`)).json()
    return chatOf.parse(reply).result.visible.map((one) => ({ ...one, isCard: isCard(one) }))
  }
  /** Chats where something was sent or edited since the last time. */
  const readTimes = async (): Promise<ReadonlySet<number>> => {
    const reply: unknown = await (await fetch(`${apiRoot}/__ledger?after=${readTo}`)).json()
    const changed = new Set<number>()
    for (const { n, at, method, params, accepted, message } of ledger.parse(reply).entries) {
      readTo = Math.max(readTo, n)
      if (!accepted || message === undefined || !/^(?:send|edit)/.test(method)) continue
      const key = `${params.chat_id} ${message}`
      changed.add(Number(params.chat_id))
      times.set(key, [...(times.get(key) ?? []), at])
    }
    return changed
  }
  const note = (chat: number, one: Visible): void => {
    const key = `${chat} ${one.id}`
    const had = known.get(key) ?? 0
    known.set(key, one.texts.length)
    const all = times.get(key) ?? []
    for (const [nth, text] of one.texts.entries()) {
      if (nth < had) continue
      const isLast = nth === one.texts.length - 1
      shown.push({
        at: (nth === 0 ? all[0] : isLast ? all.at(-1) : all[nth]) ?? one.date * 1000,
        chat,
        message: one.id,
        text,
        isEdit: nth > 0,
        isCard: one.isCard,
        labels: isLast ? one.buttons.flat().map(({ text: label }) => label) : [],
      })
    }
  }
  return {
    look,
    shown,
    deeds,
    note: (deed) => void deeds.push(deed),
    async read() {
      const changed = await readTimes()
      for (const chat of changed) for (const one of await look(chat)) if (one.from === 'bot') note(chat, one)
      return changed
    },
  }
}

/** It asks something by itself, or did. */
const isCard = ({ texts, buttons }: z.infer<typeof visible>): boolean =>
  buttons.flat().some(({ text }) => onCards.test(text)) || texts.some((text) => asksByItself.test(text))
