// Our side: the real processes of the fleet, `all` or roles like `router executor`, with their round trips counted.
import './count-writes.ts'
import process from 'node:process'
import type { Role } from '#infra/processes/roles.ts'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'
import { startProfile, stopProfile } from './profile.ts'

const names = process.argv.slice(2)
const roles = names.filter((name): name is Role =>
  /^(router|executor|reflection|curiosity|telegram|discord|feishu)$/.test(name),
)
// As the command line does: a process loads only what it runs.
const running = names.includes('all')
  ? (await import('#infra/processes/all.ts')).runAll()
  : (await import('#infra/processes/separate.ts')).runSeparate(roles)
void running.then((code) => process.exit(code))
serveParent(async (question) => {
  if (!isProfile(question)) return readStats()
  return question.on ? await startProfile() : await stopProfile()
})

function isProfile(question: unknown): question is { readonly on: boolean } {
  return typeof question === 'object' && question !== null && 'kind' in question && question.kind === 'profile'
}
