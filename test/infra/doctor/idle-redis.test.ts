// Doctor on Debian's own Redis: told by the file it was started with, and only while it lets everybody in.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkIdleRedis } from '#infra/doctor/idle-redis.ts'
import { probe } from '#infra/redis/redis-probe.ts'
import { until } from '#test/rig/fleet.ts'
import { findFreePort } from '#test/rig/redis.ts'

async function withService(
  lines: readonly string[],
  look: (port: number, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-etc-'))
  const port = await findFreePort()
  const file = path.join(folder, 'redis.conf')
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', 'save ""', `dir ${folder}`, ...lines].join('\n'))
  const child: ChildProcess = spawn('redis-server', [file], { stdio: 'ignore' })
  try {
    await until(async () => (await probe({ kind: 'port', port, password: '' })) !== 'gone')
    await look(port, folder)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

test('tells of the service that the package started without a password', async () => {
  await withService([], async (port, folder) => {
    expect(await checkIdleRedis(port, folder)).toMatchObject([
      { level: 'warning', found: expect.stringContaining(`127.0.0.1:${port} without a password`) },
    ])
    // Somebody's own server, started with another file, is theirs.
    expect(await checkIdleRedis(port)).toEqual([])
  })
})

test('says nothing of one with a password, or where none answers', async () => {
  await withService(['requirepass secret'], async (port, folder) =>
    expect(await checkIdleRedis(port, folder)).toEqual([]),
  )
  expect(await checkIdleRedis(await findFreePort(), '/')).toEqual([])
})
