// The model simulator as a process of the bench: counters only, no latency until told.
import process from 'node:process'
import { startModelSimulator } from '#test/simulators/model/simulator.ts'
import { serveParent } from './child.ts'

const simulator = await startModelSimulator({ ledger: 'counters' })
process.once('SIGTERM', () => void simulator.close().then(() => process.exit(0)))
serveParent(async () => ({ origin: new URL(simulator.url).origin }))
