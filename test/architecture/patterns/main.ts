// Part of `npm run check`: says which regular expressions that meet text from outside do not take time in proportion to it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { answerCues, questionCues } from '#services/confidence/cues.ts'
import { patterns as marks } from '#services/confidence/marks.ts'
import { layers } from '#test/architecture/rules/source-file.ts'
import { findLiterals } from './literals.ts'
import { findSlow } from './find-slow.ts'
import { buildRouterPatterns } from './router-patterns.ts'

const sources = layers
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  )
  .filter((name) => /\.(?:ts|js)$/u.test(name))
  .map((name) => ({ path: name, text: readFileSync(name, 'utf8') }))
const short = (pattern: RegExp): string => String(pattern).replace(/^([^]{100})[^]+/u, '$1…')
const written = sources.flatMap(({ path: file, text }) =>
  findLiterals(text).map(({ pattern, line }) => ({ pattern, place: `${file}:${line}` })),
)
const place = 'services/confidence'
const cues = [...questionCues.values(), ...answerCues.values(), ...marks].map((pattern) => ({ pattern, place }))
const routed = (await buildRouterPatterns()).map((pattern) => ({ pattern, place: 'services/router' }))
const built = [...routed, ...cues]
const slow = [...written, ...built].flatMap(({ pattern, place: where }) => {
  const found = findSlow(pattern)
  return found === undefined ? [] : [`${where} ${short(pattern)} ${found}.`]
})
for (const line of slow) process.stderr.write(`${line}\n`)
process.stdout.write(`${written.length + built.length} regular expressions, ${slow.length} slow.\n`)
process.exitCode = slow.length > 0 ? 1 : 0
