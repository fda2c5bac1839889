// Sessions: one that ends, one that is summed up, and how what was said is found again; and a window that has no room for all tools.
import { calls, steps, text, type Asking, type Person, type Scenario, type Told } from '#test/scenarios/rig/scenario.ts'

const story = 'In the garden stood a bench, and beside it grew a rose that nobody had planted. '
const isOfSummary = ({ tools }: Asking): boolean => tools.length === 0
const summed: Told = text('- They spoke of gardens.')

/** Says things long enough that they are to be summed up: so many, and so long that each fills this many stories. */
async function talkLong(person: Person, times: number, stories: number): Promise<void> {
  for (let n = 1; n <= times; n++) {
    await person.say(`Story ${n}: ${story.repeat(stories)} What do you think?`)
    await person.hear(`Thought ${n}.`)
  }
}
const think = ({ text: asked }: Asking): Told => {
  const [, n = '', told = ''] = /Story (\d+): (.*) What/.exec(asked) ?? []
  return text(`Thought ${n}. ${told}`)
}

export const sessions: readonly Scenario[] = [
  {
    name: 'new-session',
    stand: 'usual',
    model: ({ text: asked, whole }) =>
      asked.includes('What colour')
        ? text(`I know of the rose: ${whole.includes('rose is red')}`)
        : text('I take note.'),
    async play(person) {
      await person.say('My rose is red, is that good?')
      await person.hear('I take note')
      await person.command('/new')
      await person.hear('', 2)
      await person.say('What colour is my rose?')
      await person.hear('I know of the rose: false')
    },
  },
  {
    name: 'session-goes-on',
    stand: 'usual',
    model: ({ text: asked, whole }) =>
      asked.includes('What colour')
        ? text(`I know of the rose: ${whole.includes('rose is red')}`)
        : text('I take note.'),
    async play(person) {
      await person.say('My rose is red, is that good?')
      await person.hear('I take note')
      await person.say('What colour is my rose?')
      await person.hear('I know of the rose: true')
    },
  },
  {
    name: 'compaction-before-a-turn',
    sumsUp: true,
    stand: 'narrow',
    model: (asking) => (isOfSummary(asking) ? summed : think(asking)),
    async play(person) {
      await talkLong(person, 4, 3)
      await person.kept(1)
    },
  },
  {
    name: 'compaction-in-silence',
    sumsUp: true,
    stand: 'narrow',
    model: (asking) => (isOfSummary(asking) ? summed : think(asking)),
    async play(person) {
      await talkLong(person, 3, 2)
      await person.kept(1)
    },
  },
  {
    name: 'compaction-and-search',
    sumsUp: true,
    stand: 'narrow',
    model: (asking) => {
      if (isOfSummary(asking)) return summed
      if (!asking.text.includes('what stood')) return think(asking)
      return steps(
        () => calls(['tool_call', { name: 'session_search', arguments: { query: 'bench' } }]),
        ({ results }) => text(`Found again: ${results.join().includes('bench')}`),
      )(asking)
    },
    async play(person) {
      await talkLong(person, 4, 3)
      await person.kept(1)
      await person.say('Tell me what stood in the garden?')
      await person.hear('Found again')
    },
  },
  {
    name: 'tools-by-search',
    stand: 'narrow',
    model: steps(
      () => calls(['tool_search', { query: 'order errand' }]),
      ({ run }) => calls(['tool_call', { name: 'order', arguments: { what: `by search ${run}` } }]),
      ({ results }) => text(`By search: ${results.join()}`),
    ),
    async play(person) {
      await person.say('Please order a ticket.')
      await person.hear('By search')
    },
  },
]
