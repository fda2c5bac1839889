// The card that asks for a zone where a time needs one: what was typed waits in it, and is set by the answer or given back.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { Effect, StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, ExpiredContext } from '#shared/feature/feature.ts'
import { askForZone, readZone, sayNoZone } from '#shared/feature/zone-card.ts'
import { set, toTyped, type RemindersDeps, type Setter, type Wanted } from './set.ts'
import type { Change, Reminders } from './slice.ts'
import { quote } from './words.ts'

const kept = z.object({
  typed: z.string(),
  text: z.string().exactOptional(),
  name: z.string().exactOptional(),
  language: z.enum(languages),
  /** A place was named that is not known: who names another such place is not asked a third time. */
  again: z.literal(true).exactOptional(),
})

/** `again`: the card that was answered, with what is told of the answer. */
export function askZone(
  wanted: Wanted,
  { language, name, principal }: Pick<Setter, 'language' | 'name' | 'principal'>,
  again?: { readonly told: string },
): StepEffect<Change> {
  const payload = JSON.stringify({ ...wanted, name, language, ...(again?.told ? { again: true } : {}) })
  const what = quote(toTyped(wanted))
  const why =
    language === 'zh' ? `要设提醒 ${what}，我需要知道你的时区。` : `To set ${what} I need to know your time zone.`
  const asked = { question: 'zone', payload, principal }
  if (!again) return askForZone(language, { ...asked, text: why })
  return askForZone(language, { ...asked, text: [again.told, why].join(' ').trim(), inPlace: true })
}

export async function answerZone(
  deps: RemindersDeps,
  { event, principal, keep, slice, about }: AnswerContext<Reminders>,
): Promise<readonly Effect<Change>[]> {
  const { language, name, again: isLast, ...wanted } = kept.parse(JSON.parse(event.payload))
  const read = readZone(event)
  if (read.kind === 'declined' || (read.kind === 'unknown' && !read.isMore && isLast))
    return [sayNotSet(wanted, language)]
  if (read.kind === 'unknown') {
    const again = askZone(wanted, { language, name, principal }, { told: read.isMore ? '' : sayNoZone[language] })
    // What says something else is a message; the reminder waits on.
    return [again, ...(read.isMore && read.words !== '' ? [{ kind: 'turn', text: read.words, about } as const] : [])]
  }
  const { zone } = read
  await deps.setZone(principal, zone)
  return setNow(deps, wanted, { principal, name, language, keep, slice, zone })
}

/** Where the zone was said in another way, the reminder is set. Else what was typed is given back. */
export async function endZone(
  deps: RemindersDeps,
  { event, principal, keep, slice, zone }: ExpiredContext<Reminders>,
): Promise<readonly StepEffect<Change>[]> {
  if (event.why === 'unsent') return []
  const { language, name, again: _, ...wanted } = kept.parse(JSON.parse(event.payload))
  const known = event.why === 'cancelled' ? await zone() : undefined
  return known === undefined
    ? [sayNotSet(wanted, language)]
    : setNow(deps, wanted, { principal, name, language, keep, slice, zone: known })
}

function setNow(deps: RemindersDeps, wanted: Wanted, setter: Setter): readonly StepEffect<Change>[] {
  const setting = set(deps, wanted, setter)
  if (setting.kind === 'needs-zone') throw new Error('A reminder has a zone and asks for one.')
  return [...setting.effects, { kind: 'send', text: setting.text, inPlace: true }]
}

function sayNotSet(wanted: Wanted, language: Language): StepEffect<Change> {
  const again = quote(`/remind ${toTyped(wanted)}`)
  const text =
    language === 'zh'
      ? `没有设提醒，因为我不知道你的时区。先写 \`/zone Asia/Shanghai\` 这样的时区，再写：${again}`
      : `No reminder is set, since I do not know your time zone. Write it first, such as \`/zone Europe/Berlin\`, and then: ${again}`
  return { kind: 'send', text, inPlace: true }
}
