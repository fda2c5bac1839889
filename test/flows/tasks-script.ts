// One script of a task, played unchanged on every channel: seven steps with a look after every two, one of them done otherwise, a rollback that gives back
// the files and takes back what can be taken back outside, a way back to what was set aside, one approval, one denial, and a pause over which the
// executor is started anew. A broken expectation throws.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { labels, type Seen } from '#test/rig/chats/chat.ts'
import { hear, when, type Room } from '#test/rig/chats/room.ts'
import { until } from '#test/rig/fleet.ts'
import { createTaskReader } from '#queues/tasks/read-tasks.ts'
import { pay, paid } from './approval-acts.ts'
import type { Call } from './planned-model.ts'
import { card, isBare, type QuestionStage } from './questions-stage.ts'
import type { Board } from './tasks-board.ts'
import { taskWords, type TaskWords } from './tasks-script-words.ts'

type Playing = {
  readonly stage: QuestionStage
  readonly board: Board
  readonly room: Room
  readonly said: TaskWords
  /** The name of the workspace at a moment, by what it was called then. */
  readonly trees: Map<string, string>
}

const call = (name: string, input: object): Call => ({ name, arguments: JSON.stringify(input) })
const write = (path: string, text: string): Call => call('file_write', { path, text })
const read = (path: string): Call => call('file_read', { path })

export async function playTask(stage: QuestionStage, board: Board): Promise<void> {
  const said = taskWords[stage.language]
  const playing: Playing = { stage, board, said, room: await stage.open(said.title), trees: new Map() }
  await order(playing)
  await reviseStepTwo(playing)
  await changeOutside(playing)
  await rollBack(playing)
  await goBackToWhatWasSetAside(playing)
  await approveAndDeny(playing)
  await pauseOverARestart(playing)
  await finish(playing)
  deepEqual(stage.model.unplanned, [], 'what nobody planned')
  equal(stage.model.left(), 0, 'planned answers that were not asked for')
}

/** The plan is shown, steps 1 and 2 are done, and people look. */
async function order({ stage, room, said }: Playing): Promise<void> {
  const { model } = stage
  const steps = said.steps.map((title) => ({ title, task: said.task(title) }))
  model.answers([call('task_plan', { steps })], [write('way.md', said.steps[0] ?? '')], partOf(said, 1))
  model.answers([write('streets.md', said.steps[1] ?? '')], partOf(said, 2))
  await room.ask('Ann', said.order)
  await hear(room, said.started)
  await hear(room, said.steps[6] ?? '')
  const shown = await checkpoint(stage, room, partOf(said, 2))
  const { buttons } = said
  deepEqual(labels(shown), [buttons.continue, buttons.revise, buttons.rollback])
  ok(model.prompt().includes(partOf(said, 1)), 'step 2 does not see what step 1 came to')
}

/** Words that are asked for by a press go to the step, which is done once more. Nobody else's press counts. */
async function reviseStepTwo(playing: Playing): Promise<void> {
  const { stage, room, said } = playing
  const { model, hasOthers, told } = stage
  const shown = await checkpoint(stage, room, partOf(said, 2))
  if (hasOthers) equal(await room.press('Bob', shown.id, said.buttons.continue), told.forbidden)
  await room.press('Ann', shown.id, said.buttons.revise)
  const asked = await card(stage, room, said.whatToChange)
  model.answers([write('streets.md', said.revised)], said.revised)
  await room.say('Ann', said.wish, asked.id)
  await checkpoint(stage, room, said.revised)
  ok(model.prompt().includes(said.wish), 'the step does not see what people want otherwise')
  await keepTree(playing, 'step 2')
}

/** Steps 3 and 4 write files, and each changes something outside. */
async function changeOutside(playing: Playing): Promise<void> {
  const { stage, board, room, said } = playing
  stage.model.answers(
    [write('market.md', said.parts[2] ?? '')],
    [call('post_note', { id: 'n1', text: said.parts[2] })],
    partOf(said, 3),
    [write('way.md', said.parts[3] ?? ''), call('send_mail', { id: 'm1', text: said.parts[3] })],
    partOf(said, 4),
  )
  await pressOn(playing, said.revised, said.buttons.continue)
  await checkpoint(stage, room, partOf(said, 4))
  deepEqual(board.posted(), ['n1', 'm1'])
  await keepTree(playing, 'step 4')
}

/** What a rollback cannot change is named before it is confirmed; then files are as they were, and the note is taken back where somebody says so. */
async function rollBack(playing: Playing): Promise<void> {
  const { stage, board, room, said, trees } = playing
  const { buttons } = said
  await pressOn(playing, partOf(said, 4), buttons.rollback)
  await press(playing, buttons.stepTwo)
  const warned = await card(stage, room, said.aside)
  for (const part of [said.steps[2], said.steps[3], said.filesOfThen, said.canGoBack, said.stand])
    ok(warned.text.includes(part ?? ''), `the warning does not say "${part}": ${warned.text}`)
  const [back = '', stands = ''] = warned.text.split(said.stand)
  ok(back.includes('post_note') && !back.includes('send_mail'), warned.text)
  ok(stands.includes('send_mail') && !stands.includes('post_note'), warned.text)
  deepEqual(board.posted(), ['n1', 'm1'])
  equal(await treeOf(playing), trees.get('step 4'))

  await press(playing, buttons.confirm)
  const asked = await card(stage, room, said.askUndo)
  ok(asked.text.includes('post_note') && asked.text.includes('remove_note'), asked.text)
  equal(await treeOf(playing), trees.get('step 2'))
  deepEqual(board.posted(), ['n1', 'm1'])
  stage.model.answers(said.undone, [read('way.md')], said.marketAgain, said.museumAgain)
  await press(playing, buttons.undo)
  await hear(room, said.undone)
  await checkpoint(stage, room, said.museumAgain)
  deepEqual(board.posted(), ['m1'])
  deepEqual(board.made, ['post_note n1', 'send_mail m1', 'remove_note n1'])
  equal(await treeOf(playing), trees.get('step 2'))
}

/** Steps 3 and 4 of then are there once more, with their files; what is outside stays as it is. */
async function goBackToWhatWasSetAside(playing: Playing): Promise<void> {
  const { stage, board, room, said, trees } = playing
  const { buttons } = said
  await pressOn(playing, said.museumAgain, buttons.rollback)
  await press(playing, buttons.stepFourAside)
  const warned = await card(stage, room, said.aside)
  ok(warned.text.includes(said.filesOfThen), warned.text)
  stage.model.answers([call('http_request', { method: 'GET', url: `${stage.ledger.origin}/purse` })])
  stage.model.answers([pay(stage, 36, said.tickets)])
  await press(playing, buttons.confirm)
  await card(stage, room, stage.words.heads.one)
  equal(await treeOf(playing), trees.get('step 4'))
  ok(stage.model.prompt().includes(partOf(said, 4)), 'step 5 does not see what step 4 came to before')
  deepEqual(board.posted(), ['m1'])
}

/** Text of others was read: what changes something outside is asked for. Once it is approved, once denied in words. */
async function approveAndDeny(playing: Playing): Promise<void> {
  const { stage, room, said } = playing
  const { model, words, hasOthers, told } = stage
  const asked = await card(stage, room, words.heads.one)
  ok(asked.text.includes(said.tickets), asked.text)
  if (hasOthers) equal(await room.press('Bob', asked.id, words.buttons.once), told.forbidden)
  deepEqual(paid(stage, 0), [])
  model.answers(partOf(said, 5), [pay(stage, 500, said.bus)])
  await room.press('Ann', asked.id, words.buttons.once)
  const approved = await when(room, asked.id, isBare)
  ok(approved.text.includes(words.states.once), approved.text)
  const second = await hear(room, (one) => one.text.includes(said.bus) && !isBare(one), 'a second card')
  deepEqual(paid(stage, 0), [JSON.stringify({ euros: 36, what: said.tickets })])
  await arrived(stage, room)
  model.answers(partOf(said, 6))
  await room.say('Ann', said.tooMuch, second.id)
  const denied = await when(room, second.id, isBare)
  ok(denied.text.includes(words.states.denied) && denied.text.includes(said.tooMuch), denied.text)
  await checkpoint(stage, room, partOf(said, 6))
  ok(model.prompt().includes(said.tooMuch), 'the model does not read why')
  deepEqual(paid(stage, 0), [JSON.stringify({ euros: 36, what: said.tickets })])
}

/** Paused at the third checkpoint; told to go on while no executor is there. */
async function pauseOverARestart({ stage, room, said }: Playing): Promise<void> {
  const before = await checkpoint(stage, room, partOf(said, 6))
  await room.ask('Ann', '/task 1 pause')
  await hear(room, said.paused)
  stage.note(room, 'the executor is stopped')
  await stage.fleet.stopExecutors()
  await room.ask('Ann', '/task 1 resume')
  stage.note(room, 'the executor is started')
  await stage.fleet.startExecutor()
  await hear(room, said.resumed)
  const isAgain = (one: Seen): boolean => one.id !== before.id && one.text.includes(partOf(said, 6)) && !isBare(one)
  await hear(room, isAgain, 'the checkpoint once more')
  await arrived(stage, room)
}

async function finish(playing: Playing): Promise<void> {
  const { stage, board, room, said } = playing
  stage.model.answers(partOf(said, 7), '[ALL]')
  await pressOn(playing, partOf(said, 6), said.buttons.continue)
  await hear(room, said.done)
  const parts = [partOf(said, 1), said.revised, ...said.parts.slice(2)]
  await hear(room, ({ text }) => parts.every((part) => text.includes(part)), 'the whole guide')
  await room.ask('Ann', '/tasks')
  await hear(room, '7/7')
  await room.ask('Ann', '/task 1 files')
  await hear(room, 'market.md')
  await room.ask('Ann', '/task 1 steps')
  await hear(room, 'post_note')
  deepEqual(board.made, ['post_note n1', 'send_mail m1', 'remove_note n1'])
}

const partOf = ({ parts }: TaskWords, step: number): string => parts[step - 1] ?? ''

/** Waits for the open checkpoint that shows this text. */
async function checkpoint(stage: QuestionStage, room: Room, part: string): Promise<Seen> {
  const found = await hear(room, (one) => one.text.includes(part) && !isBare(one), `a checkpoint with "${part}"`)
  await arrived(stage, room)
  return found
}

/** A person is slower than the platform, which has yet to tell that it took the cards. */
const arrived = async ({ fleet }: QuestionStage, { conversation }: Room): Promise<unknown> =>
  await until(async () => (await fleet.runtime.kernel.findCards(conversation, [])).cards.length > 0)

async function pressOn({ stage, room }: Playing, part: string, label: string): Promise<void> {
  const { id } = await checkpoint(stage, room, part)
  equal(await room.press('Ann', id, label), stage.told.won)
}

/** Presses it on the newest message that has it. */
async function press({ stage, room }: Playing, label: string): Promise<void> {
  const { id } = await hear(room, (one) => labels(one).includes(label), `a button ${label}`)
  equal(await room.press('Ann', id, label), stage.told.won)
}

async function treeOf({ stage, room }: Playing): Promise<string> {
  const { redis, kernel } = stage.fleet.runtime
  const found = await createTaskReader({ redis, kernel }).find({
    home: room.conversation,
    number: 1,
    principal: 'web:owner',
  })
  const tree = found?.own.tree ?? ''
  ok(tree.length > 10, 'the task has no workspace')
  return tree
}

async function keepTree(playing: Playing, name: string): Promise<void> {
  const tree = await treeOf(playing)
  ok(![...playing.trees.values()].includes(tree), `the workspace of ${name} is an older one`)
  playing.trees.set(name, tree)
}
