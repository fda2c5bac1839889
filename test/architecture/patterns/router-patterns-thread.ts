// The thread that builds the router's regular expressions; takes each as it is built, and posts them all.
import { parentPort } from 'node:worker_threads'

/** The list of all meta patterns joined is left out: each of them stands in the list by itself. */
const longestChars = 30_000

const found = new Map<string, RegExp>()
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, [source, flags]: [string | RegExp, string | undefined]) {
    const built = new target(source, flags)
    if (built.source.length <= longestChars) found.set(String(built), built)
    return built
  },
})
const { createClassifier } = await import('#services/router/classify.ts')
const { defaultRouting } = await import('#services/router/patterns.ts')
createClassifier(defaultRouting)
// It has forms of its own, built as it is loaded.
await import('#services/router/named-option.ts')
// So have plain words for memory, which the router looks for, too.
await import('#services/memory/plain-words.ts')
const built = [...found.values()]
// A configured pattern with `.*` is built whole only to be looked at: its parts, which are searched one by one, are in the list.
const configured = new Set([...defaultRouting.meta, ...defaultRouting.complexity_detector.step_keywords])
parentPort?.postMessage(built.filter(({ source }) => !source.includes('.*') || !configured.has(source)))
