// The models of a process, for who tells of them.
import type { FoundModel } from '#infra/models/find-model.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { listModels, type ModelRole, type NamedModel } from '#shared/model/model-port.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import type { Tool } from '#shared/model/tool.ts'
import { toRoom } from './tool-room.ts'

export type ModelFacts = {
  /** The main one first. */
  readonly models: readonly NamedModel[]
  readonly isDemo: boolean
  /** Tools that the model itself comes with. */
  readonly tools: readonly Tool[]
  /** What the tools of these take of the model's window. */
  toRoom(features: readonly Feature[], role: ModelRole): ToolRoom
}

export const toModelFacts = (found: FoundModel): ModelFacts => ({
  models: listModels(found.port),
  isDemo: found.port.describe().offline,
  tools: found.tools,
  toRoom: (features, role) => toRoom(features, found, role),
})
