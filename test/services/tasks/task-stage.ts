// A conversation in memory whose tasks are worked off as well: a model that plans and does steps as a test says, and people who press and reply.
import { toTask } from '#shared/chat/address.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { taskSlice, type TaskOwn } from '#services/tasks/run/own.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { parseJson } from '#shared/json.ts'
import { ann, conversation, message, toCommand, toTurn, wonPress } from '#test/rig/events.ts'
import { answer, builtIn, createStage, toTaskFeatures, type Answer, type Stage } from '#test/services/executor/stage.ts'

type Step = { readonly title: string; readonly task: string; readonly [more: string]: unknown }
/** What the model does: with a plan that is asked for, with step `at` of it, in which it has called so many tools, and with the end. */
export type Acting = {
  plan: (prompt: string) => Answer
  step: (at: number, prompt: string, called: number) => Answer
  result: (prompt: string) => Answer
}

export const stepsOf = (count: number, more: Record<string, unknown> = {}): readonly Step[] =>
  Array.from({ length: count }, (_, at) => ({ title: `Part ${at + 1}`, task: `Write part ${at + 1}.`, ...more }))

export const calling = (name: string, input: unknown): Answer => ({
  toolCalls: [{ id: name, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) }],
})
export const planning = (steps: readonly object[]): Answer => calling('task_plan', { steps })

export type TaskStage = {
  readonly stage: Stage
  readonly model: Acting
  /** What the model was asked, by what for: `plan`, `result`, or the number of the step. */
  readonly asked: readonly (string | number)[]
  readonly prompts: readonly string[]
  /** `/task <args>`; returns the text of what was sent. */
  task(args: string, by?: PrincipalId): Promise<string>
  tasks(): Promise<string>
  /** Says this in reply to the newest card that takes words. */
  reply(words: string, by?: PrincipalId): Promise<string>
  /** Says this in reply to the newest progress card. */
  remark(words: string, by?: PrincipalId): Promise<string>
  press(label: string, by?: PrincipalId): Promise<string>
  texts(): Promise<readonly string[]>
  /** What is shown now: messages in whose place another stands are left out. */
  shown(): Promise<readonly string[]>
  own(number?: number): Promise<TaskOwn>
  graph(number?: number): Promise<TaskGraph>
  kept(name: string, number?: number): Promise<string | undefined>
}

export type TaskStageOptions = {
  readonly others?: readonly Feature[]
  readonly given?: NonNullable<Parameters<typeof createStage>[0]>
  /** On Redis, in place of the one in memory. */
  readonly kernel?: Kernel
}

export function openTasks({ others = [], given = {}, kernel }: TaskStageOptions = {}): TaskStage {
  const home = [...others, ...builtIn]
  const stage = createStage({ features: home, tasks: toTaskFeatures(others), ...given }, undefined, kernel)
  const asked: (string | number)[] = []
  const prompts: string[] = []
  const model: Acting = {
    plan: () => planning(stepsOf(3)),
    step: (at) => `Text of part ${at}.`,
    result: () => '[ALL]',
  }
  const respond: Answer = (call) => {
    stage.answers(respond)
    const { messages } = call.request
    const last = messages.findLastIndex(({ role }) => role === 'user')
    const said = messages[last]?.content ?? ''
    const called = messages.slice(last).filter(({ role }) => role === 'tool').length
    prompts.push(said)
    const [, at] = /(?:, step |，第 )(\d+) (?:of|步，共)/.exec(said) ?? []
    const isPlan = said.includes('task_plan')
    if (called === 0) asked.push(isPlan ? 'plan' : at === undefined ? 'result' : Number(at))
    if (isPlan) return answer(call, model.plan(said))
    return answer(call, at === undefined ? model.result(said) : model.step(Number(at), said, called))
  }
  stage.answers(respond)
  let said = 0
  const sent = async (): Promise<readonly string[]> => (await stage.sent()).map(({ text }) => text)
  const after = async (act: () => Promise<unknown>): Promise<string> => {
    const before = (await sent()).length
    await act()
    return (await sent()).slice(before).join('\n')
  }
  const command = (name: string, args: string, by: PrincipalId): Promise<string> =>
    stage.ask(`/${name} ${args}`, { as: toCommand(name, args), principal: by })
  const findKept = async (name: string, number: number): Promise<string | undefined> =>
    (await stage.kernel.findArtifact(toTask(conversation, number), name))?.text
  return {
    stage,
    model,
    asked,
    prompts,
    task: (args, by = ann) => command('task', args, by),
    tasks: () => command('tasks', '', ann),
    press: (label, by = ann) => stage.press(label, by),
    reply: (words, by = ann) => after(() => replyTo(stage, { words, by, id: `said${++said}` }, false)),
    remark: (words, by = ann) => after(() => replyTo(stage, { words, by, id: `said${++said}` }, true)),
    texts: sent,
    async shown() {
      const all = await stage.sent()
      const gone = all.flatMap(({ replaces }) => replaces ?? [])
      return all.filter(({ row }) => row === undefined || !gone.includes(row)).map(({ text }) => text)
    },
    async own(number = 1) {
      const state = await stage.state(toTask(conversation, number))
      return taskSlice.schema.parse(JSON.parse(JSON.stringify(sliceOf(state, { name: 'tasks' }))))
    },
    async graph(number = 1) {
      // The plan is what its schema read.
      return parseJson((await findKept('graph', number)) ?? '') as TaskGraph
    },
    kept: (name, number = 1) => findKept(name, number),
  }
}

type Reply = { readonly words: string; readonly by: PrincipalId; readonly id: string }

/** As the router finds it to be an answer. */
async function replyTo({ kernel, work }: Stage, { words, by, id }: Reply, acts: boolean): Promise<void> {
  const { cards } = await kernel.findCards(conversation, [])
  const question =
    cards.findLast(({ question: one }) => one.words === true && (one.acts === 'stop') === acts)?.question.id ?? ''
  const event = message({ conversation, id, messageId: id, text: words.slice(0, 100_000), principal: by })
  await kernel.ingest({ event, dedupeKey: id, stop: 'none', echo: false })
  const answered = { conversation, id, principal: by, question, choice: '', said: true, words } as const
  const said = { ...wonPress(answered), messages: [id] }
  const { routedSeq, events } = await kernel.inbox(conversation, 100)
  const ruling = { act: 'answer', rule: 'answer', answer: said, asAdmin: false, otherwise: toTurn() } as const
  await kernel.route(
    conversation,
    routedSeq,
    events.map(() => ruling),
  )
  await work()
}
