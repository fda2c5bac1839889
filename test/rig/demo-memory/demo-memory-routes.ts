// The routes of the demo memory's page: the time zone that is known of the person, and another one to be kept.
import { z } from 'zod'
import { isZone } from '#shared/chat/is-zone.ts'
import { BotError } from '#shared/errors.ts'
import { toPageRoute, type PageRoute } from '#shared/feature/page.ts'
import type { Ports } from '#shared/feature/ports.ts'

export const toRoutes = ({ people, clock }: Pick<Ports, 'people' | 'clock'>): readonly PageRoute[] => [
  toPageRoute({
    method: 'GET',
    path: 'zone',
    input: {},
    handle: async ({ principal }) => ({ zone: (await people.findZoneOf(principal)) ?? clock.timeZone }),
  }),
  toPageRoute({
    method: 'POST',
    path: 'zone',
    input: { zone: z.string().max(64) },
    maxBytes: 1000,
    async handle({ input: { zone }, principal }) {
      if (!isZone(zone)) throw new BotError('bad-input', 'That is no time zone, such as Europe/Berlin.')
      await people.setZone(principal, zone)
      return { zone }
    },
  }),
]
