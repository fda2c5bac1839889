// What somebody is told whose command there is not: that, and the one that they probably meant.
import type { Language } from '#shared/chat/message.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import { findNearest } from '#shared/nearest.ts'
import { texts } from '#services/executor/run/texts.ts'

export function toUnknown(
  known: readonly CommandInfo[],
  { command }: { readonly command?: { readonly name: string } | undefined },
  language: Language,
): string {
  const wanted = command?.name ?? ''
  const names = known.map(({ name }) => name)
  const { name, slips } = findNearest(wanted, names)
  if (slips > Math.min(2, wanted.length / 2)) return texts.unknownCommand[language]
  return texts.didYouMean[language].replace('%', name)
}
