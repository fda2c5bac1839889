// `npm run check`: runs every script of package.json named `check:…`, as many at once as there are processors, in their order there.
// What a part says is printed in one piece when it has ended. Ends with 1 when any part fails, and names those that did.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { z } from 'zod'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'))
const failed: string[] = []

async function run([name, command]: readonly [string, string]): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => void said.push(bytes))
  const [code] = await once(child, 'close')
  process.stdout.write(Buffer.concat(said))
  if (code !== 0) failed.push(`${name} (${command})`)
}

async function runNext(): Promise<void> {
  for (let part = waiting.shift(); part; part = waiting.shift()) await run(part)
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext))
if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
