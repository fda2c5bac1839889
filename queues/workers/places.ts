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

/** `most`: of conversations and tasks together. Each of several ways in for conversations bounds them by itself. */
export function createPlaces(most = Infinity): Places {
  const mostTasks = Math.max(1, Math.floor(most * shareOfTasks))
  const inside = { conversations: 0, tasks: 0 }
  /** Those who wait for a place that a task has. */
  const waiting = new Set<() => boolean>()
  const listeners: (() => void)[] = []
  let [tasksWait, tasksWaitedAtMs] = [0, -Infinity]
  let keptUntilMs = -Infinity
  const tell = (): void => listeners.forEach((callback) => callback())
  const onNews: Side['onNews'] = (callback) => listeners.push(callback)
  const anyWaits = (): boolean => [...waiting].some((waitsForTask) => waitsForTask())
  function keep(): void {
    keptUntilMs = performance.now() + keptMs
    setTimeout(tell, keptMs + 1).unref()
  }
  function change(kind: keyof typeof inside, by: 1 | -1): void {
    inside[kind] += by
    if (by < 0) tell()
  }

  return {
    openConversations(few) {
      let here = 0
      const waits = (): boolean => here < few
      return {
        most: few,
        left: () => Math.min(few, most - inside.tasks) - here,
        take() {
          here += 1
          change('conversations', 1)
        },
        giveBack() {
          here -= 1
          change('conversations', -1)
        },
        setWaiting(isWaiting) {
          if (isWaiting) waiting.add(waits)
          else if (waiting.delete(waits) && inside.tasks > 0) keep()
        },
        mustLeave: () => waiting.has(waits),
        onNews,
      }
    },
    openTasks() {
      let isWaited = false
      return {
        most: mostTasks,
        left() {
          if (anyWaits() || performance.now() < keptUntilMs) return 0
          return Math.min(mostTasks, most - inside.conversations) - inside.tasks
        },
        take: () => change('tasks', 1),
        giveBack: () => change('tasks', -1),
        setWaiting(isWaiting) {
          if (isWaiting === isWaited) return
          tasksWait += isWaiting ? 1 : -1
          tasksWaitedAtMs = performance.now()
          isWaited = isWaiting
        },
        mustLeave: () => tasksWait > 0 || performance.now() - tasksWaitedAtMs < waitedLatelyMs || anyWaits(),
        onNews,
      }
    },
  }
}
