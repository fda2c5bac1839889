// Linking: a person shows by a one-time code that two accounts are theirs, and confirms it on both. Then they share what is kept for their person, and
// nothing else.
import type { Capability } from '#shared/feature/capability.ts'
import type { Projection } from '#shared/feature/projection.ts'
import type { Accounts } from '#shared/memory/accounts.ts'
import { answerEnter, answerAccept, askToAccept, link, linkCommand, tellResult, type LinkDeps } from './link.ts'
import { answerUnlink, tellParted, unlink, unlinkCommand } from './unlink.ts'

export const accountsCapability: Capability<LinkDeps> = {
  commands: [linkCommand, unlinkCommand],
  create: (deps) => ({
    name: 'accounts',
    commands: [
      { ...linkCommand, run: (context) => link(deps, context) },
      { ...unlinkCommand, run: (context) => unlink(deps, context) },
    ],
    questions: {
      enter: { answer: async (context) => await answerEnter(context) },
      accept: { answer: (context) => answerAccept(deps, context) },
      unlink: { answer: (context) => answerUnlink(deps, context) },
    },
    letters: {
      accept: { came: (context) => askToAccept(deps, context) },
      told: { came: tellResult },
      parted: { came: tellParted },
    },
    after: [createFinisher(deps)],
  }),
}

const hourMs = 3_600_000

/** Goes on with what a process began that died. */
const createFinisher = ({ accounts }: { readonly accounts: Pick<Accounts, 'finish'> }): Projection => ({
  name: 'accounts',
  take: async () => [],
  work: async () => [],
  tick: {
    everyMs: hourMs,
    async run() {
      await accounts.finish()
      return []
    },
  },
})
