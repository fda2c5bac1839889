// Forgetting that can be undone: for ten seconds a message and its answers are only hidden, in all tabs of the browser; then the server is told.
// Whoever closes the tab before that has decided, so it is told at once. Where that fails, the next tab that opens tells it under the same key.
import { read } from './api.js'

/** @typedef {{ readonly conversation: string, readonly of: string, readonly key: string, readonly dueAtMs: number, readonly tab: string, readonly told?: boolean }} Forgetting */

const storageKey = 'flotilla.forgetting'
const undoMs = 10_000
/** After that its tab is gone, or its clock stands still. */
const orphanedMs = 5000
/** So long it stays hidden until the server has done it; if it was refused, it is shown again. */
const doneWithinMs = 20_000
const everyMs = 500

/**
 * @param {{ tell(item: Forgetting): void, tellAtOnce(item: Forgetting): void, onChange(): void }} deps
 * `tellAtOnce`: the page is going; nothing of it runs after that.
 */
export function createForgetting({ tell, tellAtOnce, onChange }) {
  const tab = crypto.randomUUID()
  /** @param {readonly Forgetting[]} items */
  function save(items) {
    localStorage.setItem(storageKey, JSON.stringify(items))
    onChange()
  }
  function look() {
    const nowMs = Date.now()
    const items = load()
    const due = items.filter((item) => nowMs > item.dueAtMs + (item.tab === tab ? 0 : orphanedMs))
    if (due.length === 0) return
    const told = due.filter((item) => !item.told)
    const kept = told.map((item) => ({ ...item, tab, told: true, dueAtMs: nowMs + doneWithinMs }))
    save([...items.filter((item) => !due.includes(item)), ...kept])
    told.forEach(tell)
  }
  setInterval(look, everyMs)
  window.addEventListener('storage', ({ key }) => (key === storageKey ? onChange() : undefined))
  window.addEventListener('pagehide', () => {
    for (const item of load()) if (item.tab === tab && !item.told) tellAtOnce(item)
  })
  return {
    /** @param {string} conversation @param {string} of the message */
    begin(conversation, of) {
      const item = { conversation, of, key: crypto.randomUUID(), dueAtMs: Date.now() + undoMs, tab }
      save([...load().filter((other) => other.of !== of), item])
    },
    /** @param {string} of */
    undo: (of) => save(load().filter((item) => item.of !== of)),
    /** What is hidden in a conversation. @param {string} conversation */
    list: (conversation) => load().filter((item) => item.conversation === conversation),
  }
}

/** @returns {readonly Forgetting[]} */
function load() {
  try {
    /** @type {unknown} */
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isForgetting) : []
  } catch {
    return []
  }
}

/** @param {unknown} value @returns {value is Forgetting} */
const isForgetting = (value) =>
  ['conversation', 'of', 'key', 'tab'].every((name) => typeof read(value, name) === 'string') &&
  typeof read(value, 'dueAtMs') === 'number'
