// Messages that stand for earlier ones which are not shown yet: kept until those are read from further up.

/** @import { ApiMessage } from './api-types.d.ts' */

export function createReplacements() {
  /** By the row they replace; the last one counts. @type {Map<string, ApiMessage>} */
  const kept = new Map()
  return {
    /** @param {string} row @param {ApiMessage} message */
    keep(row, message) {
      kept.set(row, message)
    },
    /** One that is older than all that are kept. @param {ApiMessage} message */
    keepOlder(message) {
      const row = message.replaces ?? ''
      if (!kept.has(row)) kept.set(row, message)
    },
    /** Nothing of what is about a message is shown any more. @param {string} id */
    forget(id) {
      for (const [row, message] of kept) if (message.about?.includes(id)) kept.delete(row)
    },
    /** What is shown in the place of this message now. @param {ApiMessage} message @returns {ApiMessage} */
    resolve(message) {
      let shown = message
      for (;;) {
        const next = shown.row === undefined ? undefined : kept.get(shown.row)
        if (!next || shown.row === undefined) return shown
        kept.delete(shown.row)
        if (next.role === 'change') {
          const { buttons: _, ...rest } = shown
          shown = rest
        } else shown = next
      }
    },
    /** Those whose originals are kept no more: they stand for themselves. @param {readonly ApiMessage[]} shown */
    takeOrphans(shown) {
      const known = new Set([...shown, ...kept.values()].map((message) => message.row))
      const orphans = [...kept].filter(([row, message]) => message.role === 'bot' && !known.has(row))
      for (const [row] of orphans) kept.delete(row)
      return orphans.map(([, message]) => message)
    },
  }
}
