// How long something takes, without what a busy machine adds.
import process from 'node:process'

/** Milliseconds of processor that this thread has used: a difference of two tells what the work between them took, however often others ran. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
