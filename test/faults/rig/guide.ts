// A task as people order it of a fleet under faults: a guide in three parts, with a look after each; and what its model says, which depends on the
// request alone, so that a step that is done again comes to the same.
import type { Fleet } from './fleet.ts'

export const guideOrder = 'task write a short guide in three parts and stop after each'
export const parts = ['A spade and a rake are enough.', 'Loose and dark.', 'Sow them in May.'] as const

const plan = {
  steps: [
    { title: 'Part one: the tools', task: 'Write the first part of the guide, on tools.' },
    { title: 'Part two: the soil', task: 'Write the second part of the guide, on soil.' },
    { title: 'Part three: the seeds', task: 'Write the third part of the guide, on seeds.' },
  ],
}

export async function scriptGuide({ model }: Pick<Fleet, 'model'>): Promise<void> {
  const say = (text: string) => ({ kind: 'text' as const, text })
  const calls = [{ id: 'plan', name: 'task_plan', arguments: JSON.stringify(plan) }]
  await model.script(
    { when: { text: 'Call the tool task_plan' }, answer: { kind: 'tools', calls } },
    ...parts.map((text, at) => ({ when: { text: `, step ${at + 1} of 3:` }, answer: say(text) })),
    { when: { text: 'are done. Check their results' }, answer: say('[ALL]') },
  )
}
