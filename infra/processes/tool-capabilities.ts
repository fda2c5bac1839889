// The capabilities that are no more than a tool for the model, which works with something outside of the conversation.
import { browserFetchCapability } from '#services/browser-fetch/browser-fetch.ts'
import { calculateCapability } from '#services/calculate/calculate.ts'
import { httpRequestCapability } from '#services/http-request/http-request.ts'
import { timeNowCapability } from '#services/time-now/time-now.ts'
import { webSearchCapability } from '#services/web-search/web-search.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { FeaturePorts } from './open-ports.ts'

export const toolCapabilities: readonly Capability<FeaturePorts>[] = [
  timeNowCapability,
  calculateCapability,
  webSearchCapability,
  browserFetchCapability,
  httpRequestCapability,
]
