// A signal to a task, or from one, as units take it.
import type { Signal } from '#shared/run/step.ts'

/** Whom it is for, what it says, how it acts, and of which messages or for whom. */
export function toSignalArgs({ to, event, begins, stops }: Signal): readonly string[] {
  const how = begins ? ['begins', JSON.stringify(begins)] : stops === undefined ? ['', ''] : ['stops', stops]
  return [to, JSON.stringify(event), ...how]
}
