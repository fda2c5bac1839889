// How far a session is stored is saved, one save at a time; what is reached meanwhile goes with the next.
import type { GatewayStore } from '#queues/fleet/gateway-session.ts'
import type { Position } from './take-item.ts'

type Reached = Position & { readonly seen: Map<string, string> }

export function createProgress(store: Pick<GatewayStore, 'advance'>): {
  reached(position: Position, seen: Map<string, string>): void
  saved(): Promise<void>
} {
  let unsaved: Reached | undefined
  let saving: Promise<void> | undefined
  async function save(): Promise<void> {
    for (let reached = unsaved; reached; reached = unsaved) {
      unsaved = undefined
      try {
        await store.advance(reached.sessionId, reached.sequence, reached.seen)
      } catch {
        // It costs a replay at worst; the next save tells it again.
        const { seen, ...rest } = unsaved ?? reached
        unsaved = { ...rest, seen: new Map([...reached.seen, ...seen]) }
        break
      }
    }
    saving = undefined
  }
  return {
    reached({ sessionId, sequence }, seen) {
      unsaved = { sessionId, sequence, seen: new Map([...(unsaved?.seen ?? []), ...seen]) }
      saving ??= save()
    },
    async saved() {
      await saving
    },
  }
}
