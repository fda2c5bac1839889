// A capability as somebody new to the project would write it, who touches nothing but its own folder and one list: facts that a person gives or a turn
// teaches, which a card asks about, the prompt repeats and a tool looks up; a page of its own; and each person says whether it may be used of them in
// groups.
import { z } from 'zod'
import type { Capability } from '#shared/feature/capability.ts'
import type { CommandInfo, Feature } from '#shared/feature/feature.ts'
import { keptOf, retell, type Kept } from '#shared/feature/kept.ts'
import { createOwnSetting } from '#shared/feature/own-setting.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { say } from '#shared/feature/say.ts'
import { storable } from '#shared/feature/slice.ts'

const own = z.object({ facts: z.array(keptOf(z.string())) })
type Own = z.infer<typeof own>
type Change = { readonly add: Kept }

const command: CommandInfo = { name: 'memo', help: { zh: '记住一件事', en: 'have a fact kept' } }
const groupsCommand = { name: 'memo_groups', help: { zh: '群里能不能用', en: 'whether it is used in groups' } }

const toGroups = (people: Ports['people']) =>
  createOwnSetting(people, {
    id: 'memo_groups',
    label: { zh: '在群里用我的记忆', en: 'My facts in groups' },
    entry: { section: 'Memory', key: 'inGroups' },
    choices: [
      { id: 'allow', label: { zh: '可以', en: 'may be used' } },
      { id: 'not', label: { zh: '不可以', en: 'are not used' } },
    ],
    usual: 'allow',
    command: groupsCommand,
  })

export const demoMemoryCapability: Capability<Pick<Ports, 'access' | 'clock' | 'people'>> = {
  commands: [command],
  page: {
    name: 'memo',
    title: { zh: '记忆', en: 'Memory' },
    files: new URL('./page/', import.meta.url),
    open: async (ports) => (await import('./demo-memory-routes.ts')).toRoutes(ports),
  },
  settings: [{ of: 'person', command: groupsCommand }],
  create: ({ access, clock, people }) => createDemoMemory(access, clock, toGroups(people)),
}

const createDemoMemory = (
  { isOwner }: Ports['access'],
  { timeZone }: Ports['clock'],
  groups: ReturnType<typeof toGroups>,
): Feature<Own, Change> => ({
  name: 'demo-memory',
  settings: [groups.setting],
  slice: {
    schema: storable(own),
    fresh: { facts: [] },
    fold: ({ facts }, { add }) => ({ facts: [...facts, add] }),
    forget: ({ facts }, id) => ({ facts: facts.filter(({ about }) => !about.includes(id)) }),
  },
  commands: [
    {
      ...command,
      run: async ({ args, keep, language, principal, conversation }) => {
        const by = (await isOwner(principal, conversation)) ? 'an owner' : 'somebody'
        const fact = `${args.trim()} (${timeZone})`
        return [
          { kind: 'change', change: { add: keep(args.trim()) } },
          ...say(language, `已记住：${fact}`, `Kept for ${by}: ${fact}`),
        ]
      },
    },
  ],
  context: [
    {
      name: 'facts',
      source: 'own',
      maxTokens: 100,
      withinMs: 1000,
      give: async (turn) =>
        turn.slice.facts.length === 0 || (turn.group && (await groups.find(turn.principal)) === 'not')
          ? undefined
          : { text: retell(turn.slice.facts, turn, (facts) => `Facts: ${facts.join('; ')}`), reason: 'kept before' },
    },
  ],
  tools: [
    {
      name: 'count_facts',
      summary: { zh: '数一数记住的事。', en: 'Counts the facts that are kept.' },
      description: 'Counts the facts that are kept.',
      parameters: { type: 'object' },
      effect: 'read',
      onCrash: 'rerun',
      listing: 'always',
      run: async (_, { slice, group, principal }) => ({
        text:
          group && (await groups.find(principal)) === 'not' ? 'none may be used here' : `${slice.facts.length} kept`,
        source: 'own',
      }),
    },
  ],
  after: [
    {
      name: 'learn',
      take: async (line) => {
        const [, fact] = line.kind === 'turn' ? (/^Learn (.+)$/m.exec(line.record.asked) ?? []) : []
        // A reader knows the person by the record.
        return fact === undefined || line.kind !== 'turn' || (await groups.find(line.record.principal)) === 'not'
          ? []
          : [{ kind: 'letter', to: line.conversation, letter: 'learned', payload: fact }]
      },
    },
  ],
  letters: {
    learned: {
      came: async ({ event }) => [
        {
          kind: 'ask',
          question: 'keep',
          text: `Shall I keep ${event.payload}?`,
          options: [[{ id: 'yes', label: 'Keep' }]],
          payload: event.payload,
        },
      ],
    },
  },
  questions: {
    keep: {
      answer: async ({ event, keep, language }) => [
        { kind: 'change', change: { add: keep(event.payload) } },
        ...say(language, `已记住：${event.payload}`, `Kept: ${event.payload}`),
      ],
    },
  },
})
