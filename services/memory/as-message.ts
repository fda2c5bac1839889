// An order that was found in plain words may have been meant otherwise. Where nothing fits it, it is a message as any other.
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'

export const isPlain = ({ event }: Pick<CommandContext, 'event'>): boolean => event.command === undefined

export const asMessage = ({ event, about }: Pick<CommandContext, 'event' | 'about'>): readonly Effect<never>[] => [
  { kind: 'turn', text: event.text, about },
]
