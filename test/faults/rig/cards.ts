// Messages with buttons in the conversations of the web page, and presses on them as its process makes them.
import { z } from 'zod'
import type { ResolveResult } from '#queues/questions/questions.ts'
import { wonPress } from '#test/rig/events.ts'
import type { Fleet } from './fleet.ts'
import type { Asked } from './transcripts.ts'

const message = z.object({
  text: z.string(),
  buttons: z.array(z.array(z.object({ id: z.string(), label: z.string() }))).default([]),
})

/** What the bot said there, oldest first. */
export async function shownIn({ kernel }: Fleet, chat: string): Promise<readonly z.infer<typeof message>[]> {
  const items = await kernel.readOut(`web:${chat}`, '0', 100)
  return items.flatMap((item) => (item.role === 'bot' && item.body.kind === 'send' ? [message.parse(item.body)] : []))
}

/** Presses the newest button with this label; a press that wins is to be answered. */
export async function pressIn(
  fleet: Fleet,
  chat: string,
  label: string,
  atMs = Date.now(),
): Promise<{ readonly kind: ResolveResult['kind']; readonly asked: Asked }> {
  const conversation = `web:${chat}`
  const button = (await shownIn(fleet, chat))
    .flatMap(({ buttons }) => buttons.flat())
    .findLast((one) => one.label === label)
  if (!button) throw new Error(`${conversation} has no button ${label}.`)
  const [question = '', choice = ''] = button.id.split('.')
  const actor = 'web:owner'
  // Nobody else writes there.
  const before = [...fleet.talk.asked.values()].filter((one) => one.conversation === conversation)
  const seq = 1 + Math.max(0, ...before.map((one) => one.seq))
  const asked = { id: `press-${chat}-${label}`, conversation, text: label, seq, atMs }
  const event = wonPress({ id: asked.id, conversation, principal: actor, at: atMs, question, choice })
  const { kind } = await fleet.kernel.resolve({ question, actor, chat: conversation, choice, event, asAdmin: false })
  if (kind === 'WON') {
    fleet.talk.note(asked)
    await fleet.hints.inbound(conversation)
  }
  return { kind, asked }
}

/** A model that takes notes by the sample feature, and asks whether to keep them. What it says depends on the request alone. */
export async function scriptNotes({ model }: Fleet): Promise<void> {
  const tools = (name: string, input = '{}') => ({
    kind: 'tools' as const,
    calls: [{ id: name, name, arguments: input }],
  })
  await model.script(
    { when: { text: 'Note milk', last: 'user' }, answer: tools('take_note', '{"text":"milk"}') },
    { when: { text: 'Note milk', last: 'tool' }, answer: { kind: 'text', text: 'Noted.' } },
    { when: { text: 'May you keep it', last: 'user' }, answer: tools('ask_to_keep') },
    { when: { text: 'They are kept' }, answer: { kind: 'text', text: 'Good.' } },
  )
}
