// What a tool is given in tests that call it by itself.
import { keeper, readRetold } from '#shared/feature/kept.ts'
import type { ToolContext, ToolResult } from '#shared/model/tool.ts'
import { ann, conversation } from './events.ts'

/** What a tool's result says, whoever's words it is. */
export const textOf = (result: ToolResult | undefined): string => {
  const said = result?.text ?? ''
  return typeof said === 'string' ? said : (readRetold(said)?.text ?? '')
}

export const toolContext: ToolContext = {
  conversation,
  principal: ann,
  language: 'en',
  about: [],
  idempotencyKey: 'k',
  slice: undefined,
  taint: [],
  keep: keeper({ by: ann, about: [] }),
  isPrivate: false,
  task: '',
  group: false,
  people: {},
  questions: () => [],
  said: async () => [],
  zone: async () => undefined,
  findArtifact: async () => undefined,
}
