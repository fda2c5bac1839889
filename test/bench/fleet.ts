// Our side: the real processes of the fleet, `all` or roles like `router executor`, with their round trips counted.
import './count-writes.ts'
import process from 'node:process'
import { runAll } from '#infra/processes/all.ts'
import { runSeparate, type Role } from '#infra/processes/separate.ts'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'

const names = process.argv.slice(2)
const roles = names.filter((name): name is Role => name === 'router' || name === 'executor')
const running = names.includes('all') ? runAll() : runSeparate(roles)
void running.then((code) => process.exit(code))
serveParent(async () => readStats())
