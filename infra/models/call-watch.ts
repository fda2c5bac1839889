// Ends a model call: the caller's signal, silence for too long, or too long in all. The first cause wins and is kept.

export type CallEnding = 'aborted' | 'idle' | 'total'

export type CallWatch = {
  readonly signal: AbortSignal
  /** What ended the call, if this did. */
  ending(): CallEnding | undefined
  /** Something came: silence is counted from now. */
  life(): void
  /** All that matters came: only this much more silence is waited for. */
  shorten(idleMs: number): void
  stop(): void
}

export function watchCall(limits: { idleTimeoutMs: number; totalTimeoutMs: number }, caller: AbortSignal): CallWatch {
  const controller = new AbortController()
  let ending: CallEnding | undefined

  function end(cause: CallEnding): void {
    if (ending) return
    ending = cause
    controller.abort()
  }
  const onAbort = () => end('aborted')

  let idle = setTimeout(end, limits.idleTimeoutMs, 'idle')
  const total = setTimeout(end, limits.totalTimeoutMs, 'total')
  caller.addEventListener('abort', onAbort, { once: true })
  if (caller.aborted) onAbort()

  return {
    signal: controller.signal,
    ending: () => ending,
    life: () => {
      idle.refresh()
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
