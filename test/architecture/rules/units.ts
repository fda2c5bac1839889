// A number that measures time says its unit: a timeout of 30 is a bug that nobody sees.
import { isCode } from './source-file.ts'
import type { Rule } from './source-file.ts'

const timeWord = String.raw`\w*?(?:timeout|delay|ttl|interval|backoff|duration|latency)s?`
/** A constant or a default with a numeric value; options of foreign libraries (`delay: 5` in a literal) are theirs. */
const assigned = new RegExp(String.raw`\b(?:const|let)\s+(${timeWord})\s*(?::\s*number\s*)?=\s*-?\d`, 'gi')
/** A parameter or property of type number. */
const typed = new RegExp(String.raw`\b(${timeWord})\??\s*:\s*number\b`, 'gi')
const defaulted = new RegExp(String.raw`[(,{]\s*(${timeWord})\s*=\s*-?\d`, 'gi')

/** Options of ioredis, in milliseconds, where a type of ours repeats their names. */
const foreign = new Set(['commandTimeout', 'connectTimeout', 'blockingTimeout', 'socketTimeout'])

/** Simulators spell the platforms' own fields, such as Telegram's `timeout`. */
const simulators = 'test/simulators/'

export const unitRule: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !file.path.startsWith(simulators))
    .flatMap((file) => {
      const names = [assigned, typed, defaulted].flatMap((pattern) =>
        [...file.text.matchAll(pattern)].map((match) => match[1] ?? ''),
      )
      return [...new Set(names)]
        .filter((name) => !foreign.has(name))
        .map((name) => `${file.path}: "${name}" has no unit; call it ${name}Ms or ${name}Seconds`)
    })
