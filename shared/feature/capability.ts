// What a folder under services gives to the fleet before anything runs: its commands, the same in every process, how its feature is made of a process'
// ports, and its page. A feature that needs no port stands for itself.
import type { CommandInfo, Feature } from './feature.ts'
import type { Page } from './page.ts'
import type { Ports } from './ports.ts'
import type { Setting } from './setting.ts'

/** `P`: the ports that its feature works with, by their names; `W`: those of its page. */
export type Capability<P, W = Ports> = {
  /** Its commands, so that menus, router and console know them without a feature being made. */
  readonly commands?: readonly CommandInfo[]
  /** Those of its settings that are commands too. */
  readonly settings?: readonly Pick<Setting, 'command' | 'of'>[]
  /** What the operator is to set before it has a tool of this name. */
  readonly needs?: { readonly tool: string; readonly setting: string }
  /** Its own page on the web. */
  readonly page?: Page<W>
  /** Undefined where what it works with is not set up. */
  create(ports: P): Feature | undefined
}
