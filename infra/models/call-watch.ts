// Ends a model call: the caller's signal, too long a silence before it has begun or after that, or too long in all. The first cause wins and is kept.

export type CallEnding = 'aborted' | 'first' | 'idle' | 'total'

export type CallWatch = {
  readonly signal: AbortSignal
  /** What ended the call, if this did. */
  ending(): CallEnding | undefined
  /** Something came: silence is counted from now. */
  life(): void
  /** Text or a call came: from now on silences are to be short. */
  hasBegun(): void
  /** All that matters came: only this much more silence is waited for. */
  shorten(idleMs: number): void
  stop(): void
}

type Limits = { readonly firstTimeoutMs: number; readonly idleTimeoutMs: number; readonly totalTimeoutMs: number }

export function watchCall(limits: Limits, caller: AbortSignal): CallWatch {
  const controller = new AbortController()
  let ending: CallEnding | undefined

  function end(cause: CallEnding): void {
    if (ending) return
    ending = cause
    controller.abort()
  }
  const onAbort = () => end('aborted')

  let begun = false
  let idle = setTimeout(end, limits.firstTimeoutMs, 'first')
  const total = setTimeout(end, limits.totalTimeoutMs, 'total')
  caller.addEventListener('abort', onAbort, { once: true })
  if (caller.aborted) onAbort()

  return {
    signal: controller.signal,
    ending: () => ending,
    life: () => {
      idle.refresh()
    },
    hasBegun() {
      if (begun) return
      begun = true
      clearTimeout(idle)
      idle = setTimeout(end, limits.idleTimeoutMs, 'idle')
    },
    shorten(idleMs) {
      clearTimeout(idle)
      idle = setTimeout(end, idleMs, 'idle')
    },
    stop() {
      clearTimeout(idle)
      clearTimeout(total)
      caller.removeEventListener('abort', onAbort)
    },
  }
}
