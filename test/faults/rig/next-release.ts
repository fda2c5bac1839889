// Makes the process that loads it one of a next release: it knows one more kind of event and one more kind of row, and adds fields to what
// it stores, of conversations and of tasks. Our own sources are changed as they are loaded; one that no longer has the place to be changed ends the process.
//   NODE_OPTIONS=--import=<this file>
import { registerHooks } from 'node:module'

const changes: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  '/shared/chat/event.ts': [
    [
      '  sessionEndEvent,\n]',
      "  sessionEndEvent,\n  z.object({ ...base, kind: z.literal('poll'), text: z.string() }),\n]",
    ],
  ],
  '/shared/run/out-row.ts': [
    [
      "  z.object({ ...base, kind: z.literal('react')",
      "  z.object({ ...base, kind: z.literal('shout'), text: z.string(), volume: z.number() }),\n  z.object({ ...base, kind: z.literal('react')",
    ],
  ],
  '/queues/stored.ts': [
    [
      "readStored('outbox row', outBody, text)",
      "((body) => (body.kind === 'shout' ? { ...body, kind: 'send' } : body))(readStored('outbox row', outBody, text))",
    ],
  ],
  '/services/router/decide.ts': [["    case 'session_end':", "    case 'session_end':\n    case 'poll':"]],
  '/services/executor/events/apply.ts': [
    [
      "    case 'apply':\n",
      "    case 'apply':\n      if (item.event.kind === 'poll') return shouted(deps, claim.state, item)\n",
    ],
    [
      'function acknowledge(',
      `function shouted(deps, state, item) {
  const { id, text, conversation } = item.event
  const kind = conversation.startsWith('telegram:') ? 'shout' : 'send'
  const body = { v: 1, kind, volume: 11, text: 'Poll: ' + text, answers: [id], language: 'en' }
  return { ...nothing(state, 'poll'), rows: toRows(deps, toWorkId('e', item), [body]) }
}

function acknowledge(`,
    ],
  ],
  '/services/tasks/run/own.ts': [
    ['const own = z.object({\n', "const own = z.object({\n  mood: z.string().default('of an older release'),\n"],
    ['const fresh: TaskOwn = {\n', "const fresh: TaskOwn = {\n  mood: 'of the next release',\n"],
  ],
  '/services/executor/state/stored.ts': [
    ['return JSON.stringify({ ...own,', "return JSON.stringify({ ...own, keptBy: 'the next release',"],
    [
      'return JSON.stringify({ v: 1, ...nothing,',
      "return JSON.stringify({ keptBy: 'the next release', v: 1, ...nothing,",
    ],
  ],
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const found = Object.entries(changes).find(([path]) => url.endsWith(path))
    if (!found || !loaded.source) return loaded
    let source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    for (const [from, to] of found[1]) {
      if (!source.includes(from)) throw new Error(`${url} has no place for the next release: ${from}`)
      source = source.replace(from, () => to)
    }
    return { ...loaded, source }
  },
})
