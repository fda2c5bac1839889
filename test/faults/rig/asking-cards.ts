// Cards that ask people for real: a choice of `human_ask`, and a call of `http_request` that cannot be taken back, or that a member may not have
// made without an owner. The model raises them at a word, and its words tell when it went on.
import type { Platform } from '#infra/processes/channels.ts'
import type { Fleet } from './fleet.ts'
import type { Place } from './place.ts'
import { directPlace, findCard } from './places.ts'
import { startServiceSimulator, type ServiceSimulator } from '#test/simulators/services/simulator.ts'

export type CardKind = {
  /** What somebody says who is to have such a card. */
  readonly wish: string
  /** A button of it. */
  readonly button: string
  /** What its card says once that was pressed, and what the bot says then when it has gone on, where it does. */
  readonly wins: string
  readonly answered?: string
  /** What its card says that nobody answered, where it says so, and what the bot says once it has gone on without an answer, where it does. */
  readonly over?: string
  readonly goesOn?: string
  /** What is changed by the call that it asks about. */
  readonly entry?: string
}

export const choosing = {
  wish: 'Plan my trip to Bonn in three steps.',
  button: 'Krone',
  wins: 'Chosen by',
  answered: 'As it was chosen.',
  over: 'Nobody answered in time. I go on like this: Adler.',
  goesOn: 'The hotel it is.',
} satisfies CardKind
export const made = 'It is done.'
export const really = 'Yes, do it'
const unmade = 'Nobody answered in time, so I did nothing.'
/** Asked twice: _Once_ is followed by _Yes, do it_. Nobody's silence makes it. */
export const deletingOf = (entry: string): CardKind => ({
  wish: `Delete ${entry} of the list for me.`,
  button: 'Approve once',
  wins: 'approved once',
  answered: made,
  over: unmade,
  entry,
})
export const deleting = deletingOf('entry-0')
/** What a member wishes, and an owner is asked about in their direct chat. */
export const writingOf = (entry: string): CardKind => ({
  ...deletingOf(entry),
  wish: `Write ${entry} into the list, please.`,
  goesOn: 'The owner did not answer in time, so I did not do it.',
})
/** A turn that goes in circles asks how it is to go on. Its card is open for a month. */
export const stuck = {
  wish: 'Look around for me.',
  button: 'Begin anew',
  wins: 'Chosen by',
  answered: 'In another way it went.',
} satisfies CardKind

export type Service = ServiceSimulator & AsyncDisposable & { readonly env: Readonly<Record<string, string>> }

/** What is changed by calls. `env` lets a fleet reach it. */
export async function openService(): Promise<Service> {
  const service = await startServiceSimulator()
  const env = { FLOTILLA_HTTP_HOSTS: `127.0.0.1:${service.port}+key` }
  return { ...service, env, [Symbol.asyncDispose]: () => service.close() }
}

/** How often the entry was deleted or written. */
export const countEffects = ({ effects }: Pick<Service, 'effects'>, entry: string): number =>
  effects.filter(({ path }) => path === `/${entry}`).length

/** `Delete <entry> of …` and `Write <entry> into …` for entries `entry-0`, `entry-1`, …; and the choice of a hotel, which anyone of the chat may make, or who says `Choose a hotel`. */
export async function scriptAsking(
  { model }: Pick<Fleet, 'model'>,
  { origin }: Pick<Service, 'origin'>,
  entries = 1,
): Promise<void> {
  const tool = (name: string, given: object) => ({
    kind: 'tools' as const,
    calls: [{ id: 'c', name, arguments: JSON.stringify(given) }],
  })
  const say = (text: string) => ({ kind: 'text' as const, text })
  const question = 'Which hotel?'
  const asked = {
    kind: 'choice',
    question,
    options: [{ label: 'Adler' }, { label: 'Krone' }],
    why: 'You sleep there.',
    otherwise: 'Adler.',
    who: 'anyone',
  }
  const names = Array.from({ length: entries }, (_, i) => `entry-${i}`)
  await model.script(
    { when: { text: 'Approved: ' }, answer: say(made) },
    { when: { text: 'Begin this task anew' }, answer: say(stuck.answered) },
    { when: { text: 'Look around' }, answer: tool('time_now', {}) },
    { when: { text: 'Nobody answered in time' }, answer: say(choosing.goesOn) },
    { when: { text: question }, answer: say(choosing.answered) },
    { when: { text: 'Plan my trip' }, answer: tool('human_ask', asked) },
    { when: { text: 'Choose a hotel' }, answer: tool('human_ask', { ...asked, who: 'me' }) },
    ...names.flatMap((name) => [
      {
        when: { text: `Delete ${name} ` },
        answer: tool('http_request', { method: 'DELETE', url: `${origin}/${name}` }),
      },
      { when: { text: `Write ${name} ` }, answer: tool('http_request', { method: 'POST', url: `${origin}/${name}` }) },
    ]),
  )
}

/** What makes these people owners: they may have calls made that change something. Whoever writes on the web page is one anyway. */
export async function toOwners(
  fleet: Fleet,
  people: Readonly<Partial<Record<Platform['name'], readonly number[]>>>,
): Promise<Readonly<Record<string, string>>> {
  const ids: string[] = []
  for (const channel of ['telegram', 'discord', 'feishu'] as const)
    for (const who of people[channel] ?? []) {
      const name = await (await directPlace(fleet, channel, who)).nameOf(who)
      ids.push(`${channel}:${channel === 'feishu' ? name : (/\d+/.exec(name)?.[0] ?? '')}`)
    }
  return { FLOTILLA_OWNERS: ids.join(',') }
}

/** Presses the newest such button; resolves with its card and with what the presser is told. */
export async function pressNewest(
  place: Place,
  label: string,
  who?: number,
): Promise<{ readonly id: string; readonly notice: string; acknowledged(): Promise<number> }> {
  const { id, data } = await findCard(place, label)
  const pressed = await place.press(id, data, who)
  return { id, notice: await pressed.notice(), acknowledged: () => pressed.acknowledged() }
}
