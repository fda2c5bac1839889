// The features of a process, made once, with what they and its executor work with.
import type { FoundModel } from '#infra/models/find-model.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { createFeatures, createTaskFeatures } from './features.ts'
import { openPorts, type FeaturePorts } from './open-ports.ts'
import type { Runtime } from './runtime.ts'

export type OpenFeatures = {
  readonly model: FoundModel
  readonly ports: FeaturePorts
  readonly all: readonly Feature[]
  /** Those of tasks. */
  readonly ofTasks: readonly Feature[]
}

/** `others`: features that this process has besides. Whatever works with the features of a process gets them from here, by one call. */
export function openFeatures(runtime: Runtime, model: FoundModel, others: readonly Feature[] = []): OpenFeatures {
  const ports = openPorts(runtime, model)
  return {
    model,
    ports,
    all: [...others, ...createFeatures(ports, others)],
    ofTasks: createTaskFeatures(ports, others),
  }
}
