// A part of the fleet that runs in a process: started once, stopped once, in the reverse order of starting.
import { nameAddress, type Address } from '#shared/chat/address.ts'

export type Part = {
  readonly name: string
  /** Takes no new work, lets what runs finish for `graceMs`, then parks it at a journal boundary. */
  stop(graceMs: number): Promise<void>
}

/** Logs a trouble at most once a minute per text: an outage is one line, not a thousand. */
export function onceAMinute(
  report: (text: string, error?: unknown) => void,
  now: () => number = () => performance.now(),
): (text: string, error?: unknown) => void {
  const saidAtMs = new Map<string, number>()
  return (text, error) => {
    const last = saidAtMs.get(text)
    if (last !== undefined && now() - last < 60_000) return
    if (saidAtMs.size > 200) saidAtMs.clear()
    saidAtMs.set(text, now())
    report(text, error)
  }
}

const begin = (address: Address): string => nameAddress(address).replace(/^[a-z]/, (letter) => letter.toUpperCase())

export const toParked = (address: Address, reason: string): string =>
  `${begin(address)} is parked: ${reason}. See flotilla doctor.`

/** What the operator is told of a conversation or a task that this process cannot go on with. */
export const toLeft = (address: Address, reason: string): string =>
  `${begin(address)} is left to a process of a newer release: ${reason} If none runs, start that release again.`
