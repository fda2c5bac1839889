// A recorded process is recognised, and nothing else is ever taken for it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, test } from 'vitest'
import { findIdentity, isRunning, signalProcess } from '#infra/redis/process-identity.ts'

test('knows this process', () => {
  const identity = findIdentity(process.pid)
  expect(identity?.started).not.toBe('')
  expect(identity && isRunning(identity)).toBe(true)
})

test('does not take a reused pid for the recorded process', () => {
  const other = { pid: process.pid, started: 'another time' }
  expect(isRunning(other)).toBe(false)
  expect(signalProcess(other, 'SIGKILL')).toBe(false)
})

test.each([0, -1, Number.NaN, 1.5])('never addresses a process group: %s', (pid) => {
  expect(findIdentity(pid)).toBeUndefined()
  expect(signalProcess({ pid, started: '' }, 'SIGTERM')).toBe(false)
})

test('signals the recorded process, and knows it ended', async () => {
  const child = spawn('sleep', ['60'])
  const identity = findIdentity(child.pid ?? 0)
  expect(identity && signalProcess(identity, 'SIGTERM')).toBe(true)
  await once(child, 'exit')
  expect(identity && isRunning(identity)).toBe(false)
})
