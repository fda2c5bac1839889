// Keeps the Feishu simulator honest: an SDK other than the project's, the vendor's for Python, connects, receives, sends, changes, takes a
// press and is refused. It needs Python 3.8 or newer with its module venv, and fails where there is none; the SDK is installed into a
// virtual environment below node_modules/.cache, once.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startFeishuSimulator } from '#test/simulators/feishu/simulator.ts'

const run = promisify(execFile)
const sdk = 'lark-oapi==1.7.5'
const place = path.resolve('node_modules/.cache/feishu-python', sdk)
const python = path.join(place, 'bin', 'python')

/** Throws with what is missing, and how to get it. */
async function install(): Promise<void> {
  if (existsSync(path.join(place, 'ready'))) return
  const found = process.env['PYTHON'] ?? 'python3'
  await run(found, ['-m', 'venv', place]).catch((error: unknown) => {
    throw new Error(
      `This test needs Python 3.8 or newer with the module venv (Debian: apt-get install python3-venv), or PYTHON with its path. "${found} -m venv" failed: ${String(error)}`,
    )
  })
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', sdk]).catch((error: unknown) => {
    throw new Error(`${sdk} of PyPI could not be installed with pip into ${place}: ${String(error)}`)
  })
  await run(python, ['-c', `import pathlib, lark_oapi; pathlib.Path(${JSON.stringify(`${place}/ready`)}).touch()`])
}

beforeAll(install, 300_000)

test.each([100_000, 150])('serves a bot of the Python SDK, with frames of %i bytes', async (frameBytes) => {
  const feishu = await startFeishuSimulator({ frameBytes, limits: 'off' })
  const bot = spawn(python, ['test/simulators/feishu-python-bot.py', feishu.apiRoot, feishu.appId, feishu.appSecret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const line = once(createInterface(bot.stdout), 'line')
    await feishu.ledger.waitForConnection(({ kind }) => kind === 'ping', 25_000)
    const ann = feishu.person('Ann')
    const question = ann.say(ann.dm, 'hello')
    const answer = await feishu.until(() => feishu.visible(ann.dm)[1])
    expect(answer).toMatchObject({
      from: 'bot',
      text: 'you said hello',
      replyTo: question,
      buttons: [[{ label: 'Go' }]],
    })
    const token = ann.press(ann.dm, answer.id, 'Go')
    const press = await feishu.until(() => [feishu.pressed(token)].find(({ state }) => state !== 'waiting'))
    expect(press).toMatchObject({ state: 'answered', toast: 'went Go', error: undefined })
    expect(feishu.visible(ann.dm)[1]).toMatchObject({ texts: ['you said hello', 'pressed'] })
    ann.say(ann.dm, 'finish')
    const [codes] = z.tuple([z.string()]).parse(await line)
    const refused = { 'unknown chat': 230_001, 'bad card': 230_099 }
    const done = ['text', 'card', 'edit', 'patch', 'get', 'react', 'upload', 'file', 'chat', 'delete']
    expect(JSON.parse(codes)).toEqual({ ...Object.fromEntries(done.map((name) => [name, 0])), ...refused })
    expect(feishu.visible(ann.dm).slice(3)).toMatchObject([
      { texts: ['one', 'two'], reactions: { OK: ['Flotilla'] } },
      { files: [{ name: 'a.txt', text: 'notes' }] },
    ])
    expect(feishu.ledger.deliveries.every(({ outcome }) => outcome === 'ok')).toBe(true)
  } finally {
    bot.kill('SIGKILL')
    await feishu.close()
  }
})
