// The objects of Discord's API that the simulator deals in, as far as it knows them. Wire names (snake_case) are Discord's.
// https://discord.com/developers/docs/resources/message
import { z } from 'zod'

export type DcUser = {
  readonly id: string
  readonly username: string
  readonly global_name: string | null
  readonly discriminator: string
  readonly avatar: null
  readonly bot?: true
  readonly public_flags: number
  readonly avatar_decoration_data: null
  readonly collectibles: null
  readonly primary_guild: null
}

export const buttonStyles = { primary: 1, secondary: 2, success: 3, danger: 4, link: 5 } as const

export const dcButton = z.looseObject({
  type: z.literal(2),
  style: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
  label: z.string().max(80).optional(),
  emoji: z.looseObject({}).optional(),
  custom_id: z.string().min(1).max(100).optional(),
  url: z.string().max(512).optional(),
  disabled: z.boolean().optional(),
})
export type DcButton = z.infer<typeof dcButton>

export const dcRow = z.looseObject({ type: z.literal(1), components: z.array(dcButton).min(1).max(5) })
export type DcRow = z.infer<typeof dcRow>

export const dcEmbed = z.looseObject({
  title: z.string().max(256).optional(),
  description: z.string().max(4096).optional(),
  url: z.string().optional(),
})
export type DcEmbed = z.infer<typeof dcEmbed>

export type DcAttachment = {
  readonly id: string
  readonly filename: string
  readonly size: number
  readonly url: string
  readonly proxy_url: string
  readonly content_type: string
}

export type DcCommandOption = {
  readonly name: string
  readonly type: number
  readonly value: string | number | boolean
}

/** A registered application command, as it was put and with its ids. */
export type DcCommand = {
  readonly id: string
  readonly application_id: string
  readonly version: string
  readonly type: number
  readonly name: string
  readonly description: string
  readonly options?: readonly { readonly name: string; readonly type: number }[] | undefined
  readonly [extra: string]: unknown
}

export const channelTypes = { text: 0, dm: 1, thread: 11 } as const
export const messageTypes = {
  ordinary: 0,
  memberJoin: 7,
  threadCreated: 18,
  reply: 19,
  command: 20,
  threadStarter: 21,
} as const
