// A process with one worker of readers: `node test/rig/reading-process.ts <worker>`. Its reader asks the model about each record, within a job, and
// writes a letter of what it says. Says `reading` when it reads, and `asked` for each question.
import { loadSettings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log/log.ts'
import { openAsk } from '#infra/processes/asking.ts'
import { loadModel } from '#infra/processes/model.ts'
import { startReaders } from '#infra/processes/readers.ts'
import { openRuntime } from '#infra/processes/runtime.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { readerWorkers } from '#shared/feature/projection.ts'
import { orLater, type Ask } from '#shared/model/ask.ts'

const worker = readerWorkers.find((one) => one === process.argv[2]) ?? 'reflection'
const settings = loadSettings(process.env, process.cwd())
const { log } = createLog({ level: settings.logLevel, secrets: settings.secrets })
const runtime = await openRuntime({
  told: { role: worker, does: [worker], settings: {} },
  settings,
  redisUrl: settings.redisUrl ?? '',
  log,
})
const part = startReaders(runtime, [createStudent(openAsk(runtime, await loadModel(settings)))], worker)
process.stdout.write('reading\n')
process.once('SIGTERM', () => {
  part
    .stop(5000)
    .then(() => runtime.close())
    .then(() => process.exit(0))
    .catch(() => process.exit(1))
})

function createStudent(ask: Ask): Feature {
  return {
    name: 'student',
    letters: { learned: { came: async () => [] } },
    after: [
      {
        name: 'learn',
        worker,
        take: async (line) => (line.kind === 'turn' ? [{ kind: 'job' }] : []),
        async work({ line, conversation }, signal) {
          if (line?.kind !== 'turn') return []
          process.stdout.write('asked\n')
          const payer = { conversation, principal: line.record.principal, budget: worker } as const
          const messages = [{ role: 'user', content: `STUDY ${line.id}` }] as const
          const request = { id: `${line.id}/student`, messages, maxOutputTokens: 20 }
          const answer = orLater(await ask(payer, request, signal))
          return [
            {
              kind: 'letter',
              to: conversation,
              letter: 'learned',
              payload: answer.kind === 'answered' ? line.id : 'nothing',
            },
          ]
        },
      },
    ],
  }
}
