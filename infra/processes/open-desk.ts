// Opens the desk for those who only look at it: what waits for people, of all sources. It needs no model.
import { createDeskSettings } from '#services/curiosity/desk/settings.ts'
import { countWaiting } from '#services/curiosity/desk/bell.ts'
import type { CountDeps } from '#services/curiosity/report/count-asked.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { openSources } from './curiosity-ports.ts'
import { openFleetPorts } from './open-fleet-ports.ts'
import type { Runtime } from './runtime.ts'

export function openDesk(runtime: Runtime): CountDeps {
  const fleet = openFleetPorts(runtime)
  const { desks, memory } = runtime
  return { desks, memory, sources: openSources(runtime, fleet), now: fleet.clock.now }
}

/** Counts a person's waiting questions, for the bell of the page. */
export function openDeskCount(runtime: Runtime): (principal: PrincipalId) => ReturnType<typeof countWaiting> {
  const settings = createDeskSettings(openFleetPorts(runtime).people)
  const deps = { ...openDesk(runtime), settings, isQuiet: runtime.incurious.isQuiet }
  return async (principal) => await countWaiting(deps, principal)
}
