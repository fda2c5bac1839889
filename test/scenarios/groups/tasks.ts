// Tasks: an order becomes a plan, its steps write files and change something outside, people look, want it otherwise, go back, pause and go on.
import { calls, text, type Asking, type Scenario, type Told } from '#test/scenarios/rig/scenario.ts'

/** Each step writes a file; one orders something, by its key. What it says tells whether it was told otherwise, and in which generation of the plan. */
const working =
  (parts: number, ordersAt: number): Scenario['model'] =>
  (asking) => {
    const { text: said, step, run } = asking
    if (said.includes('Call the tool task_plan')) return toPlan(parts)
    const [, at = ''] = /, step (\d+) of \d+:/.exec(said) ?? []
    if (at === '') return text('[ALL]')
    const how = toHow(asking)
    if (step === 0) return calls(['file_write', { path: `part-${at}.md`, text: `Part ${at}${how}.` }])
    if (Number(at) === ordersAt && step === 1) return calls(['order', { what: `part ${at} ${run}` }])
    return text(`Part ${at} is written${how}.`)
  }

const toPlan = (parts: number): Told =>
  calls([
    'task_plan',
    { steps: Array.from({ length: parts }, (_, n) => ({ title: `Part ${n + 1}`, task: `Write part ${n + 1}.` })) },
  ])

function toHow({ text: said }: Asking): string {
  const isAgain = /"generation":[2-9]/.test(said)
  return `${said.includes('> wetter') ? ' wet' : ''}${isAgain ? ' again' : ''}`
}

export const tasks: readonly Scenario[] = [
  {
    // Must-show 1 and 2 of issue 43: seven steps, three looks, one revised, one rollback behind file writes and a write outside, a pause.
    name: 'task-whole',
    stand: 'usual',
    model: working(7, 3),
    makes: 2,
    async play(person) {
      await person.command(`/task write seven, stop after every 2 parts (${person.run})`)
      await person.hear('Part 2 is written.')
      await person.reply('Step 2 is done', 'wetter')
      await person.hear('Part 2 is written wet.')
      await person.press('Continue')
      await person.hear('Part 4 is written.')
      await person.press('Roll back to …')
      await person.press('Step 2')
      await person.press('Roll back')
      await person.hear('Part 4 is written again.')
      await person.command('/task 1 pause')
      await person.hear('What is done stays.')
      await person.press('Continue')
      await person.hear('Part 6 is written again.')
      await person.press('Continue')
      await person.hear('Part 7 is written again.')
      await person.command('/tasks')
      await person.hear('7/7')
    },
  },
  {
    // Each process at each of its units, over the life of a checkpoint.
    name: 'task-looks',
    stand: 'alone',
    model: working(2, 1),
    makes: 2,
    async play(person) {
      await person.command(`/task write two parts and stop after each (${person.run})`)
      await person.hear('Part 1 is written.')
      await person.reply('Step 1 is done', 'wetter')
      await person.hear('Part 1 is written wet.')
      await person.press('Continue')
      await person.hear('Part 2 is written.')
      await person.press('Roll back to …')
      await person.press('The beginning')
      await person.press('Roll back')
      await person.hear('Part 1 is written again.')
      await person.press('Continue')
      await person.hear('Part 2 is written again.')
      await person.press('Continue')
      await person.hear('#1 · done')
      await person.hear('Part 1 is written again.\n\nPart 2 is written again.')
    },
  },
  {
    // Fault 4: a call of a step that must not be repeated. Where a worker was lost during it, one card asks, and the person has looked.
    name: 'task-pays-once',
    stand: 'usual',
    unknown: 'I was interrupted while doing this',
    makes: 1,
    model: (asking) => {
      const { text: said, step, run } = asking
      if (said.includes('Call the tool task_plan')) return toPlan(2)
      const [, at = ''] = /, step (\d+) of \d+:/.exec(said) ?? []
      // A turn that goes on with what became of a call has no step in its words.
      if (at === '') return text(said.includes('is done all the same') ? 'Part 1 is paid.' : '[ALL]')
      return at === '1' && step === 0 ? calls(['pay', { what: `part 1 ${run}` }]) : text(`Part ${at} is paid.`)
    },
    async play(person) {
      await person.command(`/task pay two, without stopping (${person.run})`)
      if ((await person.hearOneOf('Part 2 is paid', 'I was interrupted while doing this')) !== 'Part 2 is paid')
        await person.press('It is done')
      await person.hear('Part 1 is paid.\n\nPart 2 is paid.')
    },
  },
]
