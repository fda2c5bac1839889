// What a folder under services gives to the fleet before anything runs: its commands, the same in every process, and how its feature is made of a
// process' ports. A feature that needs no port stands for itself.
import type { CommandInfo, Feature } from './feature.ts'
import type { Setting } from './setting.ts'

/** `P`: the ports that it works with, by their names. */
export type Capability<P> = {
  /** Its commands, so that menus, router and console know them without a feature being made. */
  readonly commands?: readonly CommandInfo[]
  /** Those of its settings that are commands too. */
  readonly settings?: readonly Pick<Setting, 'command' | 'of'>[]
  /** What the operator is to set before it has a tool of this name. */
  readonly needs?: { readonly tool: string; readonly setting: string }
  /** Undefined where what it works with is not set up. */
  create(ports: P): Feature | undefined
}
