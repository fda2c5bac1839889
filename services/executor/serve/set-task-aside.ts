// What of a task crashed its workers every time leaves its mailbox. Nothing is said of it by the executor: the feature that does the task's work is told, by a
// letter `lost`, and asks people.
import { homeOf } from '#shared/chat/address.ts'
import type { QueuedEvent, Signal } from '#shared/run/step.ts'
import { finish, toKey, type Served, type Serving } from '#services/executor/step/serving.ts'
import { toKind } from '#services/executor/state/features.ts'

const letter = 'lost'

export async function setTaskAside(serving: Serving, items: readonly QueuedEvent[]): Promise<Served | undefined> {
  const { address, deps } = serving
  const key = toKey('lost-', items)
  const seqs = items.map(({ seq }) => seq)
  const worker = deps.features.all.find(({ letters }) => letters?.[letter] !== undefined)
  const [first] = items
  // What told it so crashed its workers, too.
  const isTold = first?.event.kind === 'letter' && worker && first.event.letter === toKind(worker, letter)
  const signals =
    worker && first && !isTold ? [toLost(address, key, { item: first, kind: toKind(worker, letter) })] : []
  return await finish(serving, { key, what: 'set aside', seqs, setAside: seqs, signals })
}

function toLost(
  to: string,
  key: string,
  { item: { event }, kind }: { readonly item: QueuedEvent; readonly kind: string },
): Signal {
  const home = homeOf(to)
  const { principal } = event
  const whose = { v: 1, kind: 'letter', id: `${to}/${key}`, conversation: home, principal, from: home } as const
  return { to, event: { ...whose, letter: kind, payload: '' } }
}
