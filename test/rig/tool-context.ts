// What a tool is given in tests that call it by itself.
import type { ToolContext } from '#shared/model/tool.ts'
import { ann, conversation } from './events.ts'

export const toolContext: ToolContext = {
  conversation,
  principal: ann,
  language: 'en',
  about: [],
  idempotencyKey: 'k',
  slice: undefined,
  taint: [],
  task: '',
  group: false,
  people: {},
  questions: () => [],
  said: async () => [],
  zone: async () => undefined,
  findArtifact: async () => undefined,
}
