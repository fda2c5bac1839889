// Makes the features of a process out of the listed capabilities, and those that are about all others: commands, the search for tools, their rights, and
// /config. A new capability is listed in capabilities.ts, not here.
import { commandInfos, createCommands } from '#services/commands/commands.ts'
import { configCommand, createConfig } from '#services/config/config.ts'
import { toCommandInfo } from '#services/config/setting-command.ts'
import { tellTasks } from '#services/tasks/home/watch.ts'
import { createTaskWork } from '#services/tasks/run/feature.ts'
import { createToolRightsFeature, toolsCommand, type NotSetUp } from '#services/tool-rights/tool-rights.ts'
import { createToolSearch } from '#services/tool-search/tool-search.ts'
import type { CommandInfo, Feature } from '#shared/feature/feature.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'
import type { Tool } from '#shared/model/tool.ts'
import { capabilities, taskCapabilities, type Listed } from './capabilities.ts'
import type { FeaturePorts } from './open-ports.ts'

/** `others`: features that are not of this list, whose tools are governed and whose settings are shown as these are. */
export function createFeatures(ports: FeaturePorts, others: readonly Feature[] = []): readonly Feature[] {
  const { access, people, clock, budgets, quiet, model } = ports
  const made = capabilities.map((listed) => ({ listed, feature: create(listed, ports) }))
  const listed = [...made.flatMap(({ feature }) => feature ?? []), { name: 'model-tools', tools: model.tools }]
  const search = createToolSearch(() => toolsOf(listed))
  const commands = createCommands({
    ...access,
    ...clock,
    ...budgets,
    ...quiet,
    tellTasks: tellTasks(ports),
    models: model.models,
    room: (role) => model.toRoom([...listed, search], role),
  })
  const features = [commands, ...listed]
  const governed = (): readonly Tool[] => toolsOf([...listed, ...others])
  const notSetUp: NotSetUp = new Map(made.flatMap(({ listed: one, feature }) => (feature ? [] : toNeeds(one))))
  const rights = createToolRightsFeature({ ...access, ...people, ...clock }, governed, notSetUp)
  return [...features, search, rights, createConfig([...features, ...others])]
}

/** The features of a task's run: its own work, and the tools that need nothing of a conversation. */
export function createTaskFeatures(ports: FeaturePorts, others: readonly Feature[] = []): readonly Feature[] {
  const { access, people, clock, model } = ports
  const made = taskCapabilities.flatMap((listed) => create(listed, ports) ?? [])
  // What keeps something in a conversation has nothing to keep it in here.
  const free = others.filter(({ slice }) => slice === undefined)
  const listed = [
    createTaskWork({ now: clock.now, mayTalk: access.mayTalk, isClosed: access.isClosed }),
    ...free,
    ...made,
    { name: 'model-tools', tools: model.tools },
  ]
  const governed = (): readonly Tool[] => toolsOf(listed)
  return [
    ...listed,
    createToolSearch(() => toolsOf(listed)),
    createToolRightsFeature({ ...access, ...people, ...clock }, governed),
  ]
}

const create = (listed: Listed, ports: FeaturePorts): Feature | undefined =>
  'create' in listed ? listed.create(ports) : listed

const toNeeds = (listed: Listed): readonly (readonly [tool: string, setting: string])[] =>
  'needs' in listed && listed.needs ? [[listed.needs.tool, listed.needs.setting]] : []

/** The commands of all features, for menus and for who may use them. No feature is made for that. */
export function listCommands(): readonly CommandInfo[] {
  const own = capabilities.flatMap(({ commands = [] }) => commands)
  const settings = capabilities.flatMap((listed) => listed.settings ?? [])
  const ofSettings = settings.flatMap(({ command, of }) => (command ? [toCommandInfo(command, of)] : []))
  return [...commandInfos, ...own, toolsCommand, configCommand, ...ofSettings].map(({ name, help, open, admins }) => ({
    name,
    help,
    ...(open ? { open } : {}),
    ...(admins ? { admins } : {}),
  }))
}
