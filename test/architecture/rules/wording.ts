// What no file may contain: hosts of package registries, paths of somebody's machine, and work left undone.
import type { Rule } from './source-file.ts'

/** Written with character classes, so that this file does not match itself. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [
    /registry[.](npmjs|yarnpkg)|npm[m]irror|[a]rtifactory|[v]erdaccio|jfro[g][.]io|codeartifact[.]/i,
    'names a package registry',
  ],
  [/(?<![\w.~-])\/(work|root|home\/[a-z][\w-]*|Users\/[A-Za-z][\w-]*|tmp\/h)\/[\w.]/, 'names a path of one machine'],
  [/\b(TO[D]O|FIX[M]E|XX[X])\b/, 'leaves work undone'],
]

export const wordingRule: Rule = (files) =>
  files.flatMap((file) =>
    forbidden.flatMap(([pattern, reason]) => {
      const match = pattern.exec(file.text)
      if (!match) return []
      const line = file.text.slice(0, match.index).split('\n').length
      return [`${file.path}:${line} ${reason}: "${match[0]}"`]
    }),
  )
