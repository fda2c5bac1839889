// Projects: an owner binds groups to one, and what is kept for each of them is then read in all. What is kept for people is not, and neither are rights or
// settings.
import type { Capability } from '#shared/feature/capability.ts'
import type { Projection } from '#shared/feature/projection.ts'
import { answerBind, project, projectCommand, type ProjectDeps } from './project.ts'

export const projectsCapability: Capability<ProjectDeps> = {
  commands: [projectCommand],
  create: (deps) => ({
    name: 'projects',
    commands: [
      { ...projectCommand, readsOnly: (args) => args.trim() === '', run: (context) => project(deps, context) },
    ],
    questions: { bind: { answer: (context) => answerBind(deps, context) } },
    after: [createFinisher(deps)],
  }),
}

const hourMs = 3_600_000

/** Goes on with what a process began that died. */
const createFinisher = ({ projects }: Pick<ProjectDeps, 'projects'>): Projection => ({
  name: 'projects',
  take: async () => [],
  work: async () => [],
  tick: {
    everyMs: hourMs,
    async run() {
      await projects.finish()
      return []
    },
  },
})
