// The steps that a conversation has stored, one a line, written by whichever process stored them; and where its name asks for a kill.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const storedStep = z.object({
  /** Of the step. */
  key: z.string(),
  at: z.number(),
  /** What it added to the journal. */
  entries: z.array(
    z.object({ t: z.string(), turn: z.string(), step: z.number().optional(), callId: z.string().optional() }),
  ),
})
export type StoredStep = z.infer<typeof storedStep>

export type KillPoint = { readonly side: 'never' | 'before' | 'after'; readonly nth: number }

export const toStepsFile = (conversation: string): string => conversation.replaceAll(/[^\w-]/g, '_')

export function toKillPoint(conversation: string): KillPoint {
  const [, side, nth] = /-([ba])(\d+)$/.exec(conversation) ?? []
  return side === undefined ? { side: 'never', nth: 0 } : { side: side === 'b' ? 'before' : 'after', nth: Number(nth) }
}

/** It stands in what people say, so it says nothing itself. */
export const toRunName = (scenario: string, { side, nth }: KillPoint): string => `${scenario}-${side.charAt(0)}${nth}`
export const runNamed = /[a-z][a-z-]*-[nba]\d+/
export const toScenarioName = (run: string): string => run.replace(/-[nba]\d+$/, '')

export function readSteps(folder: string, conversation: string): readonly StoredStep[] {
  const text = readWhole(path.join(folder, toStepsFile(conversation))) ?? ''
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => storedStep.parse(JSON.parse(line)))
}

/** When a process was killed at the point that is asked for, ms; undefined where none was. */
export function findKill(folder: string, conversation: string): number | undefined {
  const stored = readWhole(path.join(folder, `${toStepsFile(conversation)}.killed`))
  return stored === undefined ? undefined : Number(stored)
}

export function readWhole(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
