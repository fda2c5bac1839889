// The commands a platform shows in its menu: those of every feature, with their help.
import type { CommandInfo } from '#queues/workers/channel-adapter.ts'
import { createCommands } from '#services/commands/commands.ts'

export function commandList(): readonly CommandInfo[] {
  const unused = (): never => {
    throw new Error('The command list runs no command.')
  }
  const { commands = [] } = createCommands({
    now: unused,
    modelName: '',
    offersResize: false,
    claimOwner: unused,
    isCodeOpen: unused,
    mayAnswer: unused,
    admit: unused,
    dismiss: unused,
    dismissOwner: unused,
    mayTalk: unused,
    findMode: unused,
    setMode: unused,
    spending: unused,
  })
  return commands.map(({ name, help }) => ({ name, description: help }))
}
