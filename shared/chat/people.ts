// Names that tell people of one conversation apart to the model. A name is chosen by its bearer and proves nothing: rights go by
// principal. Two people of one name get a number, the same as long as they are known.
import type { PrincipalId } from './conversation.ts'
import type { ChatEvent } from './event.ts'
import { toNormalForm } from './normal-form.ts'

/** Shown names by principal, the one met last at the end. */
export type People = Readonly<Record<PrincipalId, string>>

const maxChars = 64
/** Room for ` (123)`. */
const suffixChars = 6
const mostPeople = 50

/** Brackets and whatever breaks or hides a line: a name must not look like a mark of ours. */
const unwanted = /[\p{C}\p{Zl}\p{Zp}\p{Ps}\p{Pe}<>"`|]/gu

/** One short line without brackets; `someone` for a name of which nothing is left. */
export function toSafeName(raw: string | undefined): string {
  const name = (raw ?? '').slice(0, 256).replaceAll(/\s+/g, ' ').replaceAll(unwanted, '').trim()
  return (
    name
      .slice(0, maxChars - suffixChars)
      .toWellFormed()
      .trim() || 'someone'
  )
}

/** The people known after these events. Who is known under a name keeps it; who comes later under the same one gets a number. */
export function meet(known: People | undefined, events: readonly ChatEvent[]): People {
  let people = known ?? {}
  for (const event of events) {
    if (event.kind !== 'message' || !event.group) continue
    people = add(people, event.principal, event.name)
    const { replyTo } = event
    if (replyTo?.principal && replyTo.author && !replyTo.fromBot)
      people = add(people, replyTo.principal, replyTo.author)
  }
  return people
}

function add(people: People, principal: PrincipalId, raw: string | undefined): People {
  const name = toSafeName(raw)
  if (people[principal]?.replace(/ \(\d+\)$/, '') === name) return people
  const others = Object.entries(people).filter(([other]) => other !== principal)
  const taken = new Set(others.map(([, shown]) => toKey(shown)))
  let shown = name
  for (let next = 2; taken.has(toKey(shown)); next++) shown = `${name} (${next})`
  return Object.fromEntries([...others.slice(1 - mostPeople), [principal, shown]])
}

/** What looks alike counts as the same name. */
const toKey = (name: string): string => toNormalForm(name, 'NFKC').toLowerCase()
