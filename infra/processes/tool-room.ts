// What tools take of a model's window.
import type { FoundModel } from '#infra/models/find-model.ts'
import { chooseOffer } from '#services/executor/context/offer.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'
import { modelOf, type ModelRole } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'

/** Throws BotError `config` where the window is too small for any prompt. */
export function toRoom(features: readonly Feature[], { port }: FoundModel, role: ModelRole = 'main'): ToolRoom {
  return chooseOffer(toolsOf(features), modelOf(port, role).contextTokens, (text) => estimateTokens(text).upperBound)
    .room
}
