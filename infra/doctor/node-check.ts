// Whether the Node that runs this has the newest security fixes.
import type { Finding } from '#infra/checks/finding.ts'

/** The first release with the security fixes of October 2026. */
export const leastSecure = '26.12.1'

/** `version` is that of `process.versions.node`. A release below `leastSecure` is a warning: the bot runs on it. */
export function checkNode(version: string): Finding {
  if (compare(version, leastSecure) >= 0) return { level: 'ok', about: 'Node', found: version }
  return {
    level: 'warning',
    about: 'Node',
    found: `${version}, without the security fixes of October 2026`,
    fix: `Install Node ${leastSecure} or newer and delete node_modules/.bin/node: then npm uses the one that you installed.`,
  }
}

/** Below zero where `one` is the older version. */
function compare(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number))
  const differences = [0, 1, 2].map((place) => (left?.[place] ?? 0) - (right?.[place] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
