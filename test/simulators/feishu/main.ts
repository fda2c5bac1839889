// The Feishu simulator as a process of its own: `node test/simulators/feishu/main.ts --port N`.
// Prints one line of JSON with apiRoot, appId, appSecret, verificationToken and the bot's open id when ready; stops on SIGTERM or SIGINT.
import { parseArgs } from 'node:util'
import { startFeishuSimulator } from './simulator.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'redeliver-ms': { type: 'string', default: '15000,300000,3600000,21600000' },
    'answer-timeout-ms': { type: 'string', default: '3000' },
    'frame-bytes': { type: 'string', default: '100000' },
    'ping-interval-s': { type: 'string', default: '120' },
    'no-limits': { type: 'boolean', default: false },
  },
})
const simulator = await startFeishuSimulator({
  port: Number(values.port),
  redeliverMs: values['redeliver-ms'].split(',').map(Number),
  answerTimeoutMs: Number(values['answer-timeout-ms']),
  frameBytes: Number(values['frame-bytes']),
  pingIntervalS: Number(values['ping-interval-s']),
  limits: values['no-limits'] ? 'off' : {},
})
const { apiRoot, appId, appSecret, verificationToken, bot } = simulator
process.stdout.write(`${JSON.stringify({ apiRoot, appId, appSecret, verificationToken, bot: bot.openId })}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.close())
