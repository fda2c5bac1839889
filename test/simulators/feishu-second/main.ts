// The second Feishu as a process of its own: `node test/simulators/feishu-second/main.ts --port N`. Prints one line of JSON when it is ready; stops on
// SIGTERM or SIGINT.
import { parseArgs } from 'node:util'
import { startSecondFeishu } from './platform.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'redeliver-ms': { type: 'string', default: '15000,300000,3600000,21600000' },
    'answer-timeout-ms': { type: 'string', default: '3000' },
    'ping-interval-s': { type: 'string', default: '120' },
  },
})
const feishu = await startSecondFeishu({
  port: Number(values.port),
  ladderMs: values['redeliver-ms'].split(',').map(Number),
  answerMs: Number(values['answer-timeout-ms']),
  pingSeconds: Number(values['ping-interval-s']),
})
const { apiRoot, appId, appSecret, bot } = feishu
process.stdout.write(`${JSON.stringify({ apiRoot, appId, appSecret, bot: bot.openId })}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void feishu.close())
