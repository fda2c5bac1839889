// The model simulator as a process of its own: `node test/simulators/model/main.ts --port N [--latency-ms N] [--ledger counters]`.
// Prints one line of JSON with its URL when ready; stops on SIGTERM or SIGINT.
import { parseArgs } from 'node:util'
import { startModelSimulator } from './simulator.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'latency-ms': { type: 'string', default: '0' },
    ledger: { type: 'string', default: 'full' },
    'api-key': { type: 'string' },
  },
})
const simulator = await startModelSimulator({
  port: Number(values.port),
  latencyMs: Number(values['latency-ms']),
  ledger: values.ledger === 'counters' ? 'counters' : 'full',
  ...(values['api-key'] === undefined ? {} : { apiKey: values['api-key'] }),
})
process.stdout.write(`${JSON.stringify({ url: simulator.url })}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.close())
