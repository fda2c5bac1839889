// A feature that uses every part of the seam, which its type demands: notes that a person or the model takes, a person keeps or drops, and
// the prompt repeats.
import { z } from 'zod'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext, Feature } from '#shared/feature/feature.ts'
import { keptOf, retell, tell, type Kept } from '#shared/feature/kept.ts'
import { storable } from '#shared/feature/slice.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { say } from '#shared/feature/say.ts'

const own = z.object({ notes: z.array(keptOf(z.string())), kept: z.boolean(), turns: z.number(), isOff: z.boolean() })
export type Notes = z.infer<typeof own>
type Change = { readonly add: Kept } | { readonly ended: true } | Partial<Pick<Notes, 'notes' | 'kept' | 'isOff'>>

const note = z.object({ text: z.string() })
const answerTo = (to: string, payload: string): Effect<Change> => ({ kind: 'letter', to, letter: 'permitted', payload })
/** `<conversation> <text>`, as a letter of this kind. */
const toLetter = (letter: string, args: string): Effect<Change> => {
  const [, to = '', payload = ''] = /^(\S+) ?(.*)$/s.exec(args.trim()) ?? []
  return { kind: 'letter', to, letter, payload }
}
/** What somebody asked behind this word. */
const findWord = (word: string, line: RecordLine): string | undefined =>
  line.kind === 'turn' ? new RegExp(`^${word} (.+)$`, 'm').exec(line.record.asked)?.[1] : undefined
const list = (notes: readonly string[]): string => notes.join(', ') || 'none'

export const sampleFeature: Required<Feature<Notes, Change>> = {
  name: 'notes',
  slice: {
    schema: storable(own),
    fresh: { notes: [], kept: false, turns: 0, isOff: false },
    fold(slice, change) {
      if ('add' in change) return { ...slice, notes: [...slice.notes, change.add] }
      return 'ended' in change ? { ...slice, turns: slice.turns + 1 } : { ...slice, ...change }
    },
    inNewSession: (slice) => ({ ...slice, notes: slice.kept ? slice.notes : [] }),
    atRest: (slice) => slice,
    // What was kept of a message goes with it.
    forget: (slice, id) => ({ ...slice, notes: slice.notes.filter(({ about }) => !about.includes(id)) }),
  },
  settings: [
    {
      id: 'notes',
      label: { zh: '笔记', en: 'Notes' },
      holds: ({ slice }) => (slice.isOff ? 'off' : 'on'),
      choices: [
        { id: 'on', label: { zh: '开', en: 'on' }, change: { isOff: false } },
        { id: 'off', label: { zh: '关', en: 'off' }, change: { isOff: true } },
      ],
      command: { name: 'noting', help: { zh: '笔记', en: 'notes: on or off' } },
    },
  ],
  commands: [
    {
      name: 'note',
      help: { zh: '记一条笔记', en: 'take a note' },
      run: async ({ args, slice, keep, language }) => {
        const text = args.trim()
        if (text === '') return say(language, '请写：/note 要记的内容', 'Write /note and what I should note.')
        const number = slice.notes.length + 1
        return [
          { kind: 'change', change: { add: keep(text) } },
          ...say(language, `笔记 ${number}：${text}`, `Note ${number}: ${text}`),
        ]
      },
    },
    ...['passed', 'permit', 'withdraw'].map((name) => ({
      name,
      help: { zh: `写信：${name}`, en: `write a letter: ${name}` },
      run: async ({ args, language }: CommandContext<Notes>) => [
        toLetter(name, args),
        ...say(language, '已寄出。', 'Written.'),
      ],
    })),
    {
      name: 'dictate',
      help: { zh: '口述一条笔记', en: 'be asked for a note' },
      run: async () => [
        {
          kind: 'ask',
          question: 'dictate',
          text: 'What should I note?',
          options: [[{ id: 'nothing', label: 'Nothing' }]],
          payload: '',
          words: true,
        },
      ],
    },
    {
      name: 'alert',
      help: { zh: '一分钟后提醒', en: 'be reminded in a minute' },
      run: async ({ args, language }) => [
        { kind: 'timer', timer: 'remind', inMs: 60_000, payload: args },
        ...say(language, '好的。', 'I will.'),
      ],
    },
  ],
  letters: {
    passed: {
      came: async ({ event, keep, language }) => [
        { kind: 'change', change: { add: keep(event.payload) } },
        ...say(language, `笔记（来自 ${event.from}）：${event.payload}`, `Note from ${event.from}: ${event.payload}`),
      ],
    },
    permit: {
      came: async ({ event }) => [
        {
          kind: 'ask',
          question: 'permit',
          from: event.from,
          topic: 'permit',
          text: `Do you permit it (${event.payload})?`,
          options: [[{ id: 'yes', label: 'Permit' }]],
          payload: event.payload,
        },
      ],
    },
    learned: {
      came: async ({ event, language }) => say(language, `记住了：${event.payload}`, `Learned: ${event.payload}`),
    },
    permitted: { came: async ({ event, language }) => say(language, event.payload, event.payload) },
    withdraw: { came: async () => [{ kind: 'cancel', which: { topic: 'permit' } }] },
  },
  timers: {
    remind: {
      due: async ({ event, language }) => say(language, `提醒：${event.payload}`, `Reminder: ${event.payload}`),
    },
  },
  context: [
    {
      name: 'list',
      source: 'others',
      maxTokens: 100,
      withinMs: 1000,
      give: async (turn) =>
        turn.slice.isOff || turn.slice.notes.length === 0
          ? undefined
          : { text: retell(turn.slice.notes, turn, (notes) => `Notes: ${list(notes)}`), reason: 'taken before' },
    },
  ],
  tools: [
    {
      name: 'take_note',
      description: 'Keeps a short text.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      effect: 'write-local',
      onCrash: 'rerun',
      run: async (input, { slice, keep }) => {
        const { text } = note.parse(input)
        const shown: Effect<Change> = { kind: 'send', text: `Note ${slice.notes.length + 1}: ${text}` }
        return { text: 'noted', source: 'own', effects: [{ kind: 'change', change: { add: keep(text) } }, shown] }
      },
    },
    {
      name: 'ask_to_keep',
      description: 'Asks the person whether the notes are to be kept.',
      parameters: { type: 'object' },
      effect: 'ask',
      onCrash: 'rerun',
      run: async (_, { slice }) => ({
        text: 'asked',
        source: 'own',
        ends: 'suspended',
        effects: [
          {
            kind: 'ask',
            question: 'keep',
            text: `Keep ${slice.notes.length === 0 ? 'none' : 'these'}?`,
            options: [
              [
                { id: 'yes', label: 'Keep' },
                { id: 'no', label: 'Drop' },
              ],
            ],
            payload: '',
          },
        ],
      }),
    },
  ],
  questions: {
    keep: {
      answer: async ({ event, about }) =>
        event.choice === 'yes'
          ? [
              { kind: 'change', change: { kept: true } },
              { kind: 'turn', text: 'They are kept. Go on.', about },
            ]
          : [
              { kind: 'change', change: { notes: [] } },
              { kind: 'send', text: 'Dropped.', inPlace: true },
            ],
      expired: async ({ event }) => [{ kind: 'send', text: `Nobody said (${event.why}).`, inPlace: true }],
    },
    dictate: {
      answer: async ({ event: { choice, words = '' }, keep }) =>
        choice === ''
          ? [
              { kind: 'change', change: { add: keep(words) } },
              { kind: 'send', text: `Noted: ${words}` },
            ]
          : [{ kind: 'send', text: 'I note nothing.', inPlace: true }],
    },
    permit: {
      answer: async ({ event }) => [
        ...(event.from ? [answerTo(event.from, `Permitted: ${event.payload}`)] : []),
        { kind: 'send', text: 'I tell them.', inPlace: true },
      ],
      expired: async ({ event }) =>
        event.from ? [answerTo(event.from, `Nobody permitted it (${event.why}): ${event.payload}`)] : [],
    },
    count: { answer: async ({ slice, language }) => say(language, `${slice.turns}`, `Turns so far: ${slice.turns}`) },
  },
  after: [
    {
      name: 'learn',
      take: async (line) => {
        const lesson = findWord('Learn', line)
        if (lesson !== undefined) return [{ kind: 'letter', to: line.conversation, letter: 'learned', payload: lesson }]
        return findWord('Study', line) === undefined ? [] : [{ kind: 'job' }]
      },
      work: async ({ conversation, line, name }) => [
        { kind: 'letter', to: conversation, letter: 'learned', payload: (line && findWord('Study', line)) ?? name },
      ],
      tick: { everyMs: 31 * 86_400_000, run: async () => [] },
    },
    {
      name: 'wonder',
      worker: 'curiosity',
      take: async (line) => {
        const wish = findWord('Wonder', line)
        return wish === undefined ? [] : [{ kind: 'letter', to: line.conversation, letter: 'learned', payload: wish }]
      },
    },
  ],
  // Who wants no notes is asked for little.
  prefers: ({ isOff }) => (isOff ? { depth: 'light' } : {}),
  edited: ({ event, slice, language }) =>
    slice.notes.some(({ about }) => about.includes(event.messageId))
      ? say(language, '笔记还是原来的样子。', 'The note stays as it was.')
      : [],
  under: ({ slice }) =>
    slice.isOff ? undefined : { question: 'count', options: [[{ id: 'count', label: 'Count' }]], payload: '' },
  marks: {
    without: (text) => text.replaceAll('[unsure] ', ''),
    of: ({ tools }) => (tools.some(({ ok }) => !ok) ? '[unsure]' : undefined),
  },
  // A plan is noted, where that is what it begins with.
  plans: {
    tool: 'take_note',
    take: ({ steps, keep, asked }) =>
      steps[0]?.startsWith('Note')
        ? {
            says: `Noted the plan of "${asked}".`,
            effects: steps.map((step) => ({ kind: 'change', change: { add: keep(step) } }) as const),
          }
        : undefined,
  },
  // No call of another feature's is made without its approval.
  approvals: { covers: ({ isOff }, { name }) => !isOff && name === 'take_note' },
  goesOn: async () => true,
  ended: ({ slice, ending }) => [
    { kind: 'change', change: { ended: true } },
    ...(ending === 'answered' && slice.kept ? [tell(slice.notes, (notes) => `Kept: ${list(notes)}`)] : []),
  ],
}
