// Every rule by name; the tests run each on the real tree and on a planted breach.
import { cycleRule } from './cycles.ts'
import { floorRule } from './floors.ts'
import { importCountRule, pairRule } from './imports.ts'
import { importFormRule, layerRule } from './layers.ts'
import { nameRule, openingRule, placeRule } from './names.ts'
import { keptRule } from './kept-words.ts'
import { exactVersionRule, lifecycleRule, lockRule } from './packages.ts'
import { executorSizeRule, fileSizeRule, sharedShareRule } from './sizes.ts'
import type { Rule } from './source-file.ts'
import { unitRule } from './units.ts'
import { bullRule, luaRule, normaliseRule, pureRule, vendorRule } from './vendors.ts'
import { waitRule } from './waits.ts'
import { wordingRule } from './wording.ts'

export const allRules = {
  'imports go from infra to adapters to queues to services to shared': layerRule,
  'imports are written #folder/… or ./ with an extension': importFormRule,
  'packages stay in infra, adapters and queues': vendorRule,
  'only queues knows BullMQ': bullRule,
  'only queues runs Lua': luaRule,
  'services and shared do no I/O': pureRule,
  'texts are normalised in one place': normaliseRule,
  'folders of the executor import from those below them': floorRule,
  'there are no import cycles, type imports included': cycleRule,
  'a file imports at most 25 modules': importCountRule,
  'hardly two folders import each other': pairRule,
  'files are small': fileSizeRule,
  'the executor stays small': executorSizeRule,
  'shared is at most 15 % of the source': sharedShareRule,
  'files lie where they belong': placeRule,
  'names say what is inside, in kebab-case': nameRule,
  'code opens with a comment': openingRule,
  'the executor alone says whose words are kept': keptRule,
  'time has a unit': unitRule,
  'a timer never waits for less than nothing': waitRule,
  'versions are exact': exactVersionRule,
  'the lockfile fits and has hashes': lockRule,
  'nothing runs at install time': lifecycleRule,
  'no registry, no machine path, nothing undone': wordingRule,
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof allRules
