// The Telegram simulator as a process of its own: `node test/simulators/telegram/main.ts --port N [--token T]`.
// Prints one line of JSON with apiRoot and token when ready; stops on SIGTERM or SIGINT.
import { parseArgs } from 'node:util'
import { startTelegramSimulator } from './simulator.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    token: { type: 'string', default: '4200:simulated-token' },
    'callback-timeout-ms': { type: 'string', default: '15000' },
    'webhook-retry-ms': { type: 'string', default: '100' },
    'privacy-mode': { type: 'boolean', default: false },
  },
})
const simulator = await startTelegramSimulator({
  port: Number(values.port),
  token: values.token,
  callbackTimeoutMs: Number(values['callback-timeout-ms']),
  webhookRetryMs: Number(values['webhook-retry-ms']),
  canReadAllGroupMessages: !values['privacy-mode'],
})
process.stdout.write(`${JSON.stringify({ apiRoot: simulator.apiRoot, token: simulator.token })}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.close())
