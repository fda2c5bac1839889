// All answers as models write them: short ones, and whole ones by kind, which stand in files as they are, without the escapes of a program's strings.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { shortAnswers, type RealAnswer } from './short.ts'

/** Begins an answer; behind it stands what must be seen of it, with `¦` between. */
const start = /^%%% (.*)\n/gm

function readAnswers(kind: string): readonly RealAnswer[] {
  const parts = readFileSync(path.join(import.meta.dirname, `${kind}.txt`), 'utf8').split(start)
  return parts.flatMap((kept, i): readonly RealAnswer[] =>
    i % 2 === 1 ? [[(parts[i + 1] ?? '').trimEnd(), ...kept.split(' ¦ ')]] : [],
  )
}

export const realAnswers: readonly RealAnswer[] = [
  ...shortAnswers,
  ...['science', 'tech', 'tongues', 'days'].flatMap(readAnswers),
]
