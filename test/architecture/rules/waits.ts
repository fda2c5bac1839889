// A wait that is computed from a clock is never below zero: Node prints TimeoutNegativeWarning on the console for such a timer.
import { isCode, topFolder } from './source-file.ts'
import type { Rule } from './source-file.ts'

/** The time until a moment that may have passed: `untilMs - performance.now()`. */
const untilNow = /\bsetTimeout\(.* - (?:\w+\.)?now\(\)/

export const waitRule: Rule = (files) =>
  files
    .filter((file) => isCode(file) && topFolder(file) !== 'test')
    .flatMap((file) =>
      file.text
        .split('\n')
        .filter((line) => untilNow.test(line) && !line.includes('Math.max(0, '))
        .map((line) => `${file.path}: "${line.trim()}" may wait for less than nothing; write Math.max(0, …)`),
    )
