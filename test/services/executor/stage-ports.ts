// The ports of the stage.
import { readYaml } from '#infra/yaml/read-yaml.ts'
import type { FeaturePorts } from '#infra/processes/open-ports.ts'
import { createMemoryGraph } from '#test/twins/memory-graph.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { remembering } from '#infra/processes/remembering.ts'
import { findNextMoment } from '#infra/processes/next-moment.ts'
import { chooseOffer } from '#services/executor/context/offer.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'
import { listQuestions } from '#services/questions/list.ts'

/** As an executor does it: the stages of a process estimate the same prompts. */
export const estimate = remembering((text) => estimateTokens(text).upperBound)

/** The ports of a fleet that has stored nothing. */
export const stagePorts: FeaturePorts = {
  readYaml,
  access: {
    claimOwner: async () => false,
    isCodeOpen: async () => false,
    admit: async () => {},
    dismiss: async () => {},
    dismissOwner: async () => 'none',
    mayTalk: async () => true,
    isClosed: async () => false,
    mayAnswer: () => true,
    isOwner: async () => true,
    findMode: async () => 'mention',
    setMode: async () => {},
    hearsAll: async () => true,
    findToolRight: async () => 'use',
    findApprovers: async () => [],
    toolsOfChat: async (tools) => tools.map(() => undefined),
    setToolForChat: async () => {},
    setToolForPerson: async () => {},
  },
  people: {
    findZoneOf: async () => undefined,
    setZone: async () => {},
    findChoice: async () => undefined,
    setChoice: async () => {},
    findDirect: async () => undefined,
    invite: async () => undefined,
  },
  records: { findTurn: async () => undefined, findTurns: async () => [], costOf: () => undefined },
  clock: { now: Date.now, timeZone: 'Europe/Berlin' },
  memory: createMemoryStore(),
  tellAnswers: async () => ({ lines: [], cameOf: [] }),
  graph: createMemoryGraph(),
  memoryIndex: { find: async () => [] },
  isIndexed: async () => true,
  accounts: {
    find: async () => [],
    link: async () => 'full',
    unlink: async () => {},
    goOn: async () => {},
    finish: async () => {},
  },
  projects: {
    find: async () => undefined,
    findNamed: async () => undefined,
    bind: async () => 'full',
    unbind: async () => {},
    goOn: async () => {},
    finish: async () => {},
  },
  linkCodes: { make: async () => 'ABCD-EFGH', use: async () => ({ kind: 'wrong' }), burn: async () => {} },
  refuse: () => undefined,
  isPaused: async () => false,
  tellOpen: (context, waiting) => listQuestions({ now: Date.now }, context, waiting),
  incurious: { isQuiet: async () => false, setQuiet: async () => {} },
  sources: [],
  readingCounts: { count: async () => {}, read: async () => new Map() },
  desks: {
    find: async () => ({ version: '' }),
    write: async () => true,
    wait: async () => {},
    findWaiting: async () => [],
    findKnown: async () => [],
  },
  memoryLog: {
    add: async () => {},
    read: async () => [],
    addDay: async () => true,
    readDays: async () => [],
    dropDays: async () => {},
  },
  tasks: {
    list: async () => [],
    find: async () => undefined,
    findText: async () => undefined,
    listTexts: async () => [],
  },
  budgets: {
    findBudgets: async () => ({
      person: { tokens: 0, micros: 0, isSet: false },
      chat: { tokens: 0, micros: 0, isSet: false },
      total: { tokens: 0, micros: 0, isSet: false },
    }),
    setBudget: async () => {},
    resetBudgets: async () => {},
    isPriced: false,
    findNearlyUsed: async () => undefined,
    spending: async () => ({ person: { tokens: 0 }, chat: { tokens: 0 } }),
    platformCalls: async () => undefined,
  },
  quiet: { isQuiet: async () => false, setQuiet: async () => {} },
  ask: async () => ({ kind: 'refused', why: 'model-failed' }) as const,
  model: {
    models: [
      { role: 'main', name: 'stage' },
      { role: 'fast', name: 'quick' },
      { role: 'fallback', name: 'other' },
    ],
    isDemo: false,
    tools: [],
    toRoom: (all) => chooseOffer(toolsOf(all), 128_000, estimate).room,
  },
  tools: {
    calculate: async (expression) => expression,
    searchWeb: undefined,
    readPage: undefined,
    http: undefined,
  },
  calendar: { next: findNextMoment },
  usual: { language: undefined, answerButtons: true },
}
