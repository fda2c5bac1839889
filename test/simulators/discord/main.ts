// The Discord simulator as a process of its own: `node test/simulators/discord/main.ts --port N [--token T]`.
// Prints one line of JSON with apiRoot, gatewayUrl, token and applicationId when ready; stops on SIGTERM or SIGINT.
import { parseArgs } from 'node:util'
import { startDiscordSimulator } from './simulator.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    token: { type: 'string' },
    shards: { type: 'string', default: '1' },
    'heartbeat-interval-ms': { type: 'string', default: '41250' },
    'interaction-timeout-ms': { type: 'string', default: '3000' },
    'session-life-ms': { type: 'string', default: '300000' },
    'no-limits': { type: 'boolean', default: false },
  },
})
const simulator = await startDiscordSimulator({
  port: Number(values.port),
  ...(values.token === undefined ? {} : { token: values.token }),
  shards: Number(values.shards),
  heartbeatIntervalMs: Number(values['heartbeat-interval-ms']),
  interactionTimeoutMs: Number(values['interaction-timeout-ms']),
  sessionLifeMs: Number(values['session-life-ms']),
  limits: values['no-limits'] ? 'off' : {},
})
const { apiRoot, gatewayUrl, token, applicationId } = simulator
process.stdout.write(`${JSON.stringify({ apiRoot, gatewayUrl, token, applicationId })}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.close())
