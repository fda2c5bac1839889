// The baseline: three BullMQ workers that pass a message on, all in one process or those that are named. The middle one calls the model, the
// last one appends to a stream.
import './count-writes.ts'
import process from 'node:process'
import { Queue, Worker, type Job } from 'bullmq'
import { Redis } from 'ioredis'
import { appendAnswer, callModel, isNotify, type BareMessage } from './bare-hops.ts'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'

const url = process.env['REDIS_URL'] ?? ''
const connection = { url, maxRetriesPerRequest: null }
const defaultJobOptions = { removeOnComplete: true }
const second = new Queue('second', { connection, defaultJobOptions })
const third = new Queue('third', { connection, defaultJobOptions })
const redis = new Redis(url)
let notifies = false

const hops: Record<string, (job: Job<BareMessage>) => Promise<unknown>> = {
  first: async (job) => await second.add('m', job.data),
  second: async (job) => (await callModel(job.data.text), await third.add('m', job.data)),
  third: (job) => appendAnswer(redis, job.data, notifies),
}
const workers = Object.entries(hops)
  .filter(([name]) => process.argv.length === 2 || process.argv.includes(name))
  .map(([name, hop]) => new Worker(name, pass(hop), { connection, concurrency: 50 }))
await Promise.all(workers.map((worker) => worker.waitUntilReady()))

serveParent(async (question) => {
  if (isNotify(question)) notifies = question.on
  return readStats()
})
process.once('SIGTERM', () => process.exit(0))

function pass(hop: (job: Job<BareMessage>) => Promise<unknown>): (job: Job<BareMessage>) => Promise<void> {
  return async (job) => void (await hop(job))
}
