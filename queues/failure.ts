// The only file that speaks BullMQ's errors.
import { DelayedError, type Job } from 'bullmq'

/** Puts a job back for later without counting it as failed: a newer worker may understand it. Throws BullMQ's signal; let it pass. */
export async function putBack(job: Job, afterMs: number, token: string | undefined): Promise<never> {
  await job.moveToDelayed(Date.now() + afterMs, token)
  throw new DelayedError()
}
