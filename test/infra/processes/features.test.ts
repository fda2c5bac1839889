// The list of commands that menus, router and console have is the one that the features of a fleet have.
import { expect, test } from 'vitest'
import { listCommands } from '#infra/processes/features.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import { builtIn } from '#test/services/executor/stage.ts'

test('what is said of commands before a feature is made is what its commands are', () => {
  const made = builtIn.flatMap(({ commands = [] }) => commands)
  const toInfo = ({ name, help, open, admins }: CommandInfo) => ({ name, help, open, admins })
  expect(listCommands().map(toInfo)).toEqual(made.map(toInfo))
})
