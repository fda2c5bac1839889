// BullMQ waits where Redis is away, but asks again at once, thousands of times a second, where it answers that it refuses: it has too few
// replicas, or no memory. Then a worker rests for a second.
import type { Worker } from 'bullmq'

const restMs = 1000

export function restWhenRefused(worker: Worker): { end(): void } {
  let timer: NodeJS.Timeout | undefined
  // What it fails at it tells by itself.
  const goOn = (): void => {
    worker.resume().catch(() => {})
  }
  const rest = (): void => {
    worker.pause(true).catch(() => {})
    timer = setTimeout(goOn, restMs)
  }
  worker.on('error', (error) => {
    if (error.name === 'ReplyError' && !worker.isPaused()) rest()
  })
  return { end: () => clearTimeout(timer) }
}
