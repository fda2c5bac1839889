// Every regular expression that the router builds from its grammar and the default configuration, taken as it is built.
/** The list of all meta patterns joined is left out: each of them stands in the list by itself. */
const longestChars = 8000

export async function buildRouterPatterns(): Promise<readonly RegExp[]> {
  const found = new Map<string, RegExp>()
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string | RegExp, string | undefined]) {
      const built = new target(source, flags)
      if (built.source.length <= longestChars) found.set(String(built), built)
      return built
    },
  })
  try {
    const { createClassifier } = await import('#services/router/classify.ts')
    const { defaultRouting } = await import('#services/router/patterns.ts')
    createClassifier(defaultRouting)
  } finally {
    globalThis.RegExp = original
  }
  // A configured pattern with `.*` is built whole only to be looked at: its parts, which are searched one by one, are in the list.
  const { patternProblem } = await import('#services/router/pattern-source.ts')
  return [...found.values()].filter(({ source }) => !source.includes('.*') || patternProblem(source) !== undefined)
}
