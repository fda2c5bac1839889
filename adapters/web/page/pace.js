// When a growing reply is shown: nothing while nobody looks at the tab, and otherwise no more than a fifth of the time goes into showing it, so that a
// key is answered however much there is to show. What comes meanwhile is joined to one draft.

/** @import { ApiDraft } from './api-types.d.ts' */

const restPerWork = 4
/** A tab that was kept from its work by others has not shown for so long. */
const mostRestMs = 1000

/**
 * `show` gives false where it lacks what came before: then `onLack` is called.
 *
 * @param {{ show(draft: ApiDraft): boolean, onLack(): void }} listener
 */
export function createPace({ show, onLack }) {
  /** @type {ApiDraft | undefined} */
  let waiting
  let rests = false

  function look() {
    if (!waiting || document.hidden || rests) return
    const draft = waiting
    waiting = undefined
    rests = true
    const startedMs = performance.now()
    const isShown = show(draft)
    // The browser's part of the work comes before the second of these.
    requestAnimationFrame(() => {
      setTimeout(() => {
        const restMs = Math.min(mostRestMs, restPerWork * (performance.now() - startedMs))
        setTimeout(() => {
          rests = false
          look()
        }, restMs)
      })
    })
    if (!isShown) onLack()
  }
  document.addEventListener('visibilitychange', look)
  return {
    /** @param {ApiDraft} draft */
    take(draft) {
      const joined = waiting && join(waiting, draft)
      if (joined === 'lacks') return onLack()
      waiting = joined ?? draft
      look()
    },
    close() {
      waiting = undefined
      document.removeEventListener('visibilitychange', look)
    },
  }
}

/** @param {ApiDraft} before @param {ApiDraft} draft @returns {ApiDraft | 'lacks'} */
function join(before, draft) {
  if (before.turn !== draft.turn || draft.from <= before.from) return draft
  const kept = draft.from - before.from
  if (kept > before.blocks.length) return 'lacks'
  return { ...draft, from: before.from, blocks: [...before.blocks.slice(0, kept), ...draft.blocks] }
}
