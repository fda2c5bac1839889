// Where the processor's time of a process goes, sampled by V8's own profiler.
import { Session, type Profiler } from 'node:inspector/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Time that was spent in a function itself, not in what it called. `place`: a package, a folder of ours, `node:<module>`, or `(garbage collector)` and the like. */
export type FunctionTime = { readonly name: string; readonly place: string; readonly selfMs: number }

const intervalUs = 250
const root = fileURLToPath(new URL('../..', import.meta.url))
let session: Session | undefined

export async function startProfile(): Promise<void> {
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: intervalUs })
  await session.post('Profiler.start')
}

/** Ends what `startProfile` began. Without the time in which the process waited. */
export async function stopProfile(): Promise<readonly FunctionTime[]> {
  if (!session) throw new Error('No profile was begun.')
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  session = undefined
  return toFunctions(profile)
}

function toFunctions({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): readonly FunctionTime[] {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]))
  const found = new Map<string, { name: string; place: string; selfMs: number }>()
  for (const [i, id] of samples.entries()) {
    const frame = nodeOf.get(id)?.callFrame
    if (!frame || frame.functionName === '(idle)') continue
    const place = toPlace(frame)
    const name = frame.url === '' ? frame.functionName : `${frame.functionName || '(anonymous)'} ${toFile(frame)}`
    const entry = found.get(`${place} ${name}`) ?? { name, place, selfMs: 0 }
    entry.selfMs += Math.max(0, timeDeltas[i] ?? 0) / 1000
    found.set(`${place} ${name}`, entry)
  }
  return [...found.values()].toSorted((a, b) => b.selfMs - a.selfMs)
}

type Frame = Profiler.ProfileNode['callFrame']

function toPlace({ url, functionName }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(built in)'
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const at = url.lastIndexOf('/node_modules/')
  if (at >= 0) {
    const [scope = '', name = ''] = url.slice(at + '/node_modules/'.length).split('/')
    return scope.startsWith('@') ? `${scope}/${name}` : scope
  }
  return path.relative(root, fileURLToPath(url)).split('/').slice(0, 2).join('/')
}

const toFile = ({ url, lineNumber }: Frame): string => `${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`
