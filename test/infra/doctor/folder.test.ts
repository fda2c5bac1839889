// What doctor says of the data folder: each thing that can be wrong there has a finding of its own, with what to do.
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '#infra/config/settings.ts'
import type { Finding } from '#infra/checks/finding.ts'
import { examine } from '#infra/doctor/doctor.ts'
import { checkFolder } from '#infra/doctor/folder-checks.ts'
import { findServer, openRedis, type OpenRedis } from '#infra/redis/embedded-redis.ts'
import { lockFolder, type FolderLock } from '#infra/redis/fleet-file.ts'
import { connectKernel } from '#queues/connection.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'flotilla-doctor-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

const settings = () => loadSettings({ FLOTILLA_DATA: folder }, folder)
const listErrors = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ level }) => level === 'error')

async function startOwn(): Promise<{ redis: OpenRedis; lock: FolderLock }> {
  const lock = lockFolder(settings())
  const redis = await openRedis({ redisUrl: undefined, dataFolder: folder }, new AbortController().signal)
  lock.publish(redis.url)
  return { redis, lock }
}

async function fillRedis(): Promise<string> {
  const { redis, lock } = await startOwn()
  const client = connectKernel(redis.url)
  await new Promise((resolve) => client.once('ready', resolve))
  for (let n = 0; n < 200; n++) await client.set(`key ${n}`, 'some value that takes space')
  client.disconnect()
  await redis.stop()
  lock.release()
  const files = path.join(folder, 'redis', 'appendonlydir')
  const name = (await readdir(files)).find((one) => one.endsWith('.incr.aof'))
  return path.join(files, name ?? '')
}

test('finds nothing wrong with a folder in use', async () => {
  await fillRedis()
  await writeFile(path.join(folder, 'web-token'), 'x'.repeat(43))
  expect(listErrors(await checkFolder(folder, folder, { ownRedis: true }))).toEqual([])
  expect((await readdir(folder)).filter((name) => name.includes('doctor'))).toEqual([])
})

test('tells a frozen Redis by its process', async () => {
  const { redis, lock } = await startOwn()
  const pid = findServer(folder)?.pid ?? 0
  try {
    process.kill(pid, 'SIGSTOP')
    const [first] = listErrors(await examine(settings(), []))
    expect(first).toMatchObject({ about: 'Redis', found: expect.stringContaining(`process ${pid}`) })
    expect(first?.fix).toContain(`kill -CONT ${pid}`)
  } finally {
    process.kill(pid, 'SIGCONT')
    await redis.stop()
    lock.release()
  }
})

test('tells a damaged append-only file, and leaves one that only ends early to the next start', async () => {
  const file = await fillRedis()
  const whole = await readFile(file)
  await truncate(file, whole.length - 5)
  expect(listErrors(await checkFolder(folder, folder, { ownRedis: true }))).toEqual([])
  const damaged = Buffer.from(whole)
  const half = Math.floor(whole.length / 2)
  damaged.fill('!', half, half + 40)
  await writeFile(file, damaged)
  const [finding] = listErrors(await checkFolder(folder, folder, { ownRedis: true }))
  expect(finding).toMatchObject({ about: 'append-only file', fix: expect.stringContaining('redis-check-aof --fix') })
})

test.each([
  ['', 'is empty'],
  ['short', 'has 5 characters'],
])('tells a web token of %j', async (token, told) => {
  await writeFile(path.join(folder, 'web-token'), token)
  const [finding] = listErrors(await checkFolder(folder, folder, { ownRedis: true }))
  expect(finding).toMatchObject({ about: 'web token', found: expect.stringContaining(told), fix: expect.any(String) })
})

test.each([
  ['{"routing": {', 'not JSON'],
  ['{"routnig": {}}', 'routnig is not a setting'],
  ['{"routing": {"social": 5}}', 'routing.'],
])('tells a settings file of %j', async (text, told) => {
  await writeFile(path.join(folder, 'flotilla.config.json'), text)
  const [finding] = listErrors(await checkFolder(folder, folder, { ownRedis: true }))
  expect(finding).toMatchObject({ about: 'flotilla.config.json', found: expect.stringContaining(told) })
})

test('tells a full disk, and one that is nearly full', async () => {
  const level = async (free: number): Promise<string | undefined> => {
    const findings = await checkFolder(folder, folder, { ownRedis: true, findFree: async () => free })
    return findings.find(({ about }) => about === 'disk space')?.level
  }
  expect([await level(1e6), await level(5e8), await level(1e10)]).toEqual(['error', 'warning', 'ok'])
})

test('tells a data folder that is a file, or lies below one', async () => {
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  for (const [place, told] of [
    [file, 'is a file'],
    [path.join(file, 'below'), 'ENOTDIR'],
  ] as const) {
    const [finding] = listErrors(await checkFolder(place, folder, { ownRedis: true }))
    expect(finding).toMatchObject({
      about: 'data folder',
      found: expect.stringContaining(told),
      fix: expect.any(String),
    })
  }
})

test('has nothing against a folder that the first start will make', async () => {
  expect(listErrors(await checkFolder(path.join(folder, 'new'), folder, { ownRedis: true }))).toEqual([])
  await mkdir(path.join(folder, 'new'))
  expect(listErrors(await checkFolder(path.join(folder, 'new'), folder, { ownRedis: true }))).toEqual([])
})
