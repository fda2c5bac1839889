// Opens what counts the questions that wait for a person, for the bell of the page. It needs no model.
import { countWaiting } from '#services/curiosity/desk/bell.ts'
import { createDeskSettings } from '#services/curiosity/desk/settings.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { openSources } from './curiosity-ports.ts'
import { openFleetPorts } from './open-fleet-ports.ts'
import type { Runtime } from './runtime.ts'

/** Undefined where the settings leave curiosity out. */
export function openDeskCount(runtime: Runtime): ((principal: PrincipalId) => Promise<number>) | undefined {
  const { desks, incurious, settings } = runtime
  if (!settings.curiosity) return undefined
  const fleet = openFleetPorts(runtime)
  const { people, clock } = fleet
  const sources = openSources(runtime, fleet)
  const deps = { desks, sources, now: clock.now, settings: createDeskSettings(people), isQuiet: incurious.isQuiet }
  return async (principal) => await countWaiting(deps, principal)
}
