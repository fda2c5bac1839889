// What every Kernel must do, one fact a test: run by the Redis kernel, by a cluster and by the in-memory twin.
import { afterAll, beforeAll, describe } from 'vitest'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { asideFacts } from './kernel-aside-facts.ts'
import { ambiguityFacts } from './kernel-ambiguity-facts.ts'
import { artifactFacts } from './kernel-artifact-facts.ts'
import { congestionFacts } from './kernel-congestion-facts.ts'
import { erasingFacts } from './kernel-erasing-facts.ts'
import { forgettingFacts } from './kernel-forgetting-facts.ts'
import { growingFacts } from './kernel-growing-facts.ts'
import { planFacts } from './kernel-plan-facts.ts'
import { letterFacts } from './kernel-letter-facts.ts'
import { mailboxFacts } from './kernel-mailbox-facts.ts'
import { outboxFacts } from './kernel-outbox-facts.ts'
import { questionFacts } from './kernel-question-facts.ts'
import { recordFacts } from './kernel-record-facts.ts'
import { restFacts } from './kernel-rest-facts.ts'
import { runFacts } from './kernel-run-facts.ts'
import { taskBoundFacts } from './kernel-task-bound-facts.ts'
import { taskFacts } from './kernel-task-facts.ts'
import { timerFacts } from './kernel-timer-facts.ts'
import { wordsFacts } from './kernel-words-facts.ts'

/** Declares the suite; `openKernel` is called once, and every fact uses a conversation of its own. */
export function kernelContract(name: string, openKernel: () => Promise<KernelBench>): void {
  describe(`kernel contract: ${name}`, { timeout: 30_000 }, () => {
    let opened: KernelBench | undefined
    beforeAll(async () => {
      opened = await openKernel()
    }, 30_000)
    afterAll(async () => {
      await opened?.close()
    })
    const bench = (): KernelBench => {
      if (!opened) throw new Error('The kernel is not open yet.')
      return opened
    }
    describe('mailbox', () => {
      mailboxFacts(bench)
    })
    describe('run', () => {
      runFacts(bench)
    })
    describe('outbox', () => {
      outboxFacts(bench)
    })
    describe('ambiguous rows', () => {
      ambiguityFacts(bench)
    })
    describe('congestion', () => {
      congestionFacts(bench)
    })
    describe('growing reply', () => {
      growingFacts(bench)
      planFacts(bench)
    })
    describe('forgetting', () => {
      forgettingFacts(bench)
    })
    describe('deletion', () => {
      erasingFacts(bench)
    })
    describe('tasks', () => {
      taskFacts(bench)
      taskBoundFacts(bench)
    })
    describe('rest', () => {
      restFacts(bench)
    })
    describe('questions', () => {
      questionFacts(bench)
    })
    describe('timers and deadlines', () => {
      timerFacts(bench)
    })
    describe('records', () => {
      recordFacts(bench)
    })
    describe('answers by words', () => {
      wordsFacts(bench)
      asideFacts(bench)
    })
    describe('artifacts', () => {
      artifactFacts(bench)
    })
    describe('letters', () => {
      letterFacts(bench)
    })
  })
}
