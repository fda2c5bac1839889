// What the tests of connecting share: doctor asked in this process or as one of its own, and its findings by step.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { loadSettings } from '#infra/config/settings.ts'
import type { Finding } from '#infra/checks/finding.ts'
import { examine } from '#infra/doctor/doctor.ts'
import { childEnv } from '#test/rig/child-env.ts'

export type Env = Readonly<Record<string, string>>

/** The steps that doctor calls wrong, as `4, Write down the token`; what is wrong besides the steps by its whole name. */
export function listWrong(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ level, about }) => (level === 'error' ? [about.replace(/^\w+ step /, '')] : []))
}

export function askDoctor(env: Env, ...args: readonly string[]): Promise<Finding[]> {
  return examine(loadSettings(env, '/nonexistent'), args)
}

/** The whole program: what it prints, and its exit code. */
export async function runDoctorProcess(env: Env, ...args: readonly string[]): Promise<{ out: string; code: unknown }> {
  const child = spawn(process.execPath, ['infra/cli.ts', 'doctor', ...args], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { out, code }
}
