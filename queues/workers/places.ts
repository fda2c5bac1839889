// The places of a process, in which conversations and tasks are worked on. Conversations come first, for a person waits there: tasks have a share of the
// places, and take none while a conversation waits for theirs. A task leaves its place after a step where anybody waits for one.

/** The places as one way in sees them, for conversations or for tasks. */
export type Side = {
  readonly most: number
  /** How many may still come in. */
  left(): number
  take(): void
  giveBack(): void
  /** Whether somebody waits until there is room. */
  setWaiting(waits: boolean): void
  /** Whether whoever is here is to make room as soon as it can. */
  mustLeave(): boolean
  /** Calls back when there may be more room. */
  onNews(callback: () => void): void
}

export type Places = {
  /** For `few` conversations at once. */
  openConversations(few: number): Side
  openTasks(): Side
}

/** A step of a task may take minutes, as a turn may: however many tasks there are, a quarter of the places is there for people at once. */
const shareOfTasks = 0.75
/** Whoever waited for a place fetches the conversation that has it so soon. */
const keptMs = 20
/** Who had to wait for a place takes the next one so soon: till then tasks go behind others. */
const waitedLatelyMs = 1000

type Shared = {
  readonly most: number
  readonly mostTasks: number
  conversations: number
  tasks: number
  tasksWait: number
  tasksWaitedAtMs: number
  /** Till then a place that was left is kept for a conversation. */
  keptUntilMs: number
  /** Ways in where a conversation waits: whether it waits for a place that a task has. */
  readonly waiting: Set<() => boolean>
  readonly listeners: (() => void)[]
}

/** `most`: of conversations and tasks together. Each of several ways in for conversations bounds them by itself. */
export function createPlaces(most = Infinity): Places {
  const shared: Shared = {
    most,
    mostTasks: Math.max(1, Math.floor(most * shareOfTasks)),
    conversations: 0,
    tasks: 0,
    tasksWait: 0,
    tasksWaitedAtMs: -Infinity,
    keptUntilMs: -Infinity,
    waiting: new Set(),
    listeners: [],
  }
  return { openConversations: (few) => openConversations(shared, few), openTasks: () => openTasks(shared) }
}

const tell = ({ listeners }: Shared): void => listeners.forEach((callback) => callback())
const anyWaits = ({ waiting }: Shared): boolean => [...waiting].some((waitsForTask) => waitsForTask())

function openConversations(shared: Shared, few: number): Side {
  let here = 0
  const waits = (): boolean => here < few
  return {
    most: few,
    left: () => Math.min(few, shared.most - shared.tasks) - here,
    take() {
      here += 1
      shared.conversations += 1
    },
    giveBack() {
      here -= 1
      shared.conversations -= 1
      tell(shared)
    },
    setWaiting(isWaiting) {
      if (isWaiting) shared.waiting.add(waits)
      else if (shared.waiting.delete(waits) && shared.tasks > 0) {
        shared.keptUntilMs = performance.now() + keptMs
        setTimeout(() => tell(shared), keptMs + 1).unref()
      }
    },
    mustLeave: () => shared.waiting.has(waits),
    onNews: (callback) => shared.listeners.push(callback),
  }
}

function openTasks(shared: Shared): Side {
  let isWaited = false
  return {
    most: shared.mostTasks,
    left() {
      if (anyWaits(shared) || performance.now() < shared.keptUntilMs) return 0
      return Math.min(shared.mostTasks, shared.most - shared.conversations) - shared.tasks
    },
    take: () => (shared.tasks += 1),
    giveBack() {
      shared.tasks -= 1
      tell(shared)
    },
    setWaiting(isWaiting) {
      if (isWaiting === isWaited) return
      shared.tasksWait += isWaiting ? 1 : -1
      shared.tasksWaitedAtMs = performance.now()
      isWaited = isWaiting
    },
    mustLeave: () =>
      shared.tasksWait > 0 || performance.now() - shared.tasksWaitedAtMs < waitedLatelyMs || anyWaits(shared),
    onNews: (callback) => shared.listeners.push(callback),
  }
}
