// A whole fleet in this process behind simulated platforms, which outlive it.
import { startFleet, type Fleet, type FleetOptions } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import type { ChatPlatform } from './chat.ts'

export type ChatFleetOptions = FleetOptions & {
  /** Who owns the bot, by name. When left out, it is nobody's and everybody may talk. */
  readonly owner?: string | undefined
}

export async function startChatFleet(
  platforms: readonly ChatPlatform[],
  { owner, ...options }: ChatFleetOptions = {},
): Promise<Fleet> {
  const owners = owner === undefined ? [] : platforms.map((one) => one.principal(owner))
  const fleet = await startFleet({
    ...options,
    env: {
      ...Object.assign({}, ...platforms.map(({ env }) => env)),
      ...(owner === undefined ? { FLOTILLA_ALLOW: '*' } : { FLOTILLA_OWNERS: owners.join() }),
      ...options.env,
    },
  })
  const stops: (() => Promise<void>)[] = []
  for (const platform of platforms) {
    stops.push(await startPlatform(fleet.runtime, platform.name))
    await platform.connected()
  }
  return {
    ...fleet,
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop()
      await fleet[Symbol.asyncDispose]()
    },
  }
}

/** The people's side of the last prompt, as one text. */
export function lastPrompt({ model }: Fleet): string {
  const { messages = [] } = model.ledger.entries.at(-1) ?? {}
  const spoken = messages.flatMap(({ role, content }) =>
    role === 'user' && typeof content === 'string' ? [content] : [],
  )
  return spoken.join('\n')
}
