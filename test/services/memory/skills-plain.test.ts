// Skills in plain words: what is read of them, and which messages order to learn one.
import { expect, it, test } from 'vitest'
import { findMeant } from '#infra/processes/find-meant.ts'
import { findLesson } from '#services/memory/skills/find-lesson.ts'
import { readPlainSkill } from '#services/memory/skills/read-plain-skill.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

/** `name | triggers | steps`, and the details of a step in brackets. */
function told(text: string): string {
  const read = readPlainSkill(text)
  if (read.kind === 'faults') return read.faults.map((one) => one.text.en).join(' ')
  const { name, triggers, steps } = read.draft
  const said = steps.map(({ action, details }) => (details === undefined ? action : `${action} [${details}]`))
  return [name, triggers.join(' / '), said.join(' / ')].join(' | ')
}

it.each([
  ['When I ask for tea: 1. boil water 2. wait 3. pour', 'tea | tea | boil water / wait / pour'],
  ['When I ask you for tea:\n1. boil water\n2. wait', 'tea | tea | boil water / wait'],
  ['Whenever a build fails: 1) read the log 2) tell me', 'a build fails | a build fails | read the log / tell me'],
  ['If the disk is full, 1. list files; 2. ask me', 'the disk is full | the disk is full | list files / ask me'],
  ['Every time I say good night: (1) dim the lights (2) lock up', 'good night | good night | dim the lights / lock up'],
  ['Before I travel: step 1: pack. Step 2: check the passport.', 'I travel | I travel | pack. / check the passport.'],
  [
    'Weekly report\n- collect figures\n- write a page',
    'Weekly report | Weekly report | collect figures / write a page',
  ],
  ['# Weekly report\n* collect\n* write', 'Weekly report | Weekly report | collect / write'],
  [
    'Weekly report:\n1. collect\n   from the sheet\n2. write',
    'Weekly report | Weekly report | collect [from the sheet] / write',
  ],
  [
    'Weekly report\nWhen I want the weekly report:\n1. collect\n2. write',
    'Weekly report | the weekly report | collect / write',
  ],
  ['Weekly report\nOne page on the week.\n1. collect\n2. write', 'Weekly report | Weekly report | collect / write'],
  ['Backup\n1. stop 2.5 services\n2. copy', 'Backup | Backup | stop 2.5 services / copy'],
  [
    'Backup\n1. copy\n- the database\n- the files\n2. check',
    'Backup | Backup | copy [the database; the files] / check',
  ],
  ['Backup\n1. copy', 'Backup | Backup | copy'],
  ['当我要写周报时：1. 收集数据 2. 写草稿 3. 发给我', '写周报 | 写周报 | 收集数据 / 写草稿 / 发给我'],
  ['当我要周报时：1、收集数据；2、写草稿', '周报 | 周报 | 收集数据 / 写草稿'],
  ['每次部署之前：（1）跑测试（2）看日志', '部署之前 | 部署之前 | 跑测试 / 看日志'],
  ['如果用户要求退款的话：①查订单 ②问我', '退款 | 退款 | 查订单 / 问我'],
  ['写周报的时候：\n- 收集数据\n- 写草稿', '写周报 | 写周报 | 收集数据 / 写草稿'],
  ['写周报\n第一步：收集数据\n第二步：写草稿', '写周报 | 写周报 | 收集数据 / 写草稿'],
  ['写周报\n一、收集数据\n二、写草稿', '写周报 | 写周报 | 收集数据 / 写草稿'],
  ['写周报\n步骤1：收集\n步骤2：写', '写周报 | 写周报 | 收集 / 写'],
  ['泡茶\r\n1. 烧水\r\n2. 泡', '泡茶 | 泡茶 | 烧水 / 泡'],
  // What cannot be read.
  [
    'When I ask for tea: boil water and pour',
    'I found no steps. Write them as “1. … 2. … 3. …”, or each in a line that begins with “- ”.',
  ],
  [
    'The plan costs 1. 5 euros',
    'I found no steps. Write them as “1. … 2. … 3. …”, or each in a line that begins with “- ”.',
  ],
  ['1. boil\n2. pour', 'Say before the steps what it is called, or when it is for: “When …:”.'],
  ['Tea\n1.\n2. pour', 'Step 1 is empty.'],
  [`Tea\n1. ${'x'.repeat(201)}\n2. pour`, 'Step 1 has 201 characters; at most 200 fit.'],
  [`${'x'.repeat(101)}\n1. boil`, 'The name has 101 characters; at most 100 fit.'],
  [`Tea\n${'- pour\n'.repeat(21)}`, 'There are 21 steps; at most 20 fit.'],
])('%j is read as %j', (text, expected) => {
  expect(told(text)).toBe(expected)
})

/** Said to the bot by itself. */
const alone = { group: false, replies: false } as const
const two = '1. boil 2. pour'

it.each([
  [`remember this procedure: ${two}`, two],
  [`Remember this process:\n${two}`, two],
  [`please remember the following procedure: ${two}`, two],
  [`learn this procedure: ${two}`, two],
  [`Can you learn this new routine: ${two}`, two],
  [`I want you to remember this workflow: ${two}`, two],
  [`save this procedure: ${two}`, two],
  [`note down this checklist: ${two}`, two],
  [`remember my procedure for weekly reports: ${two}`, `weekly reports\n${two}`],
  [`remember the steps to make tea: ${two}`, `make tea\n${two}`],
  [`learn this skill called Tea: ${two}`, `Tea\n${two}`],
  [`hey bot, remember this procedure: When I ask for tea: ${two}`, `When I ask for tea: ${two}`],
  [
    'remember this procedure:\nname: a\ntrigger_conditions: [b]\nsteps: [c]',
    'name: a\ntrigger_conditions: [b]\nsteps: [c]',
  ],
  [`记住这个流程：${two}`, two],
  [`记住这套流程：${two}`, two],
  [`请记住下面的流程：${two}`, two],
  [`帮我记一下这个步骤：${two}`, two],
  [`学会这个流程：\n${two}`, two],
  [`学一下这个做法：${two}`, two],
  [`记住写周报的流程：${two}`, `写周报\n${two}`],
  [`记住我们的发布流程：${two}`, `发布\n${two}`],
  [`你能记住这个流程：当我要茶时：${two}`, `当我要茶时：${two}`],
])('%j orders to learn %j', (text, taught) => {
  expect(findLesson(text)).toBe(taught)
  expect(findMeant(text, alone)).toEqual({ name: 'teach', args: taught })
})

it.each([
  `do you remember this procedure: ${two}`,
  `did you learn this procedure? ${two}`,
  `don't remember this procedure: ${two}`,
  `never learn this procedure: ${two}`,
  `He said: remember this procedure: ${two}`,
  `> remember this procedure: ${two}`,
  `Fwd: remember this procedure: ${two}`,
  `remember this procedure: ${two}\n> and this`,
  'remember this procedure: call Ann first',
  'remember this procedure',
  'remember this procedure:',
  'remember that the procedure has steps: 1. boil',
  `write a procedure for tea: ${two}`,
  `explain this procedure: ${two}`,
  `what do you think of this procedure: ${two}`,
  `forget this procedure: ${two}`,
  `remember these names: ${two}`,
  'Remember that I live in Lyon',
  `你记得这个流程吗：${two}`,
  `别记住这个流程：${two}`,
  `解释这个流程：${two}`,
  `他说：记住这个流程：${two}`,
  '记住这个流程',
  '记住这个流程很重要',
  '记住这个流程：先问小李',
  `写一个流程：${two}`,
  `忘掉这个流程：${two}`,
])('%j orders to learn nothing', (text) => {
  expect(findLesson(text)).toBeUndefined()
  expect(findMeant(text, alone)?.name).not.toBe('teach')
})

test('takes time in proportion to the text', () => {
  const hostile = [
    '1. ',
    '- a\n',
    'when ',
    '当',
    '第一步',
    '（1）',
    'step 1',
    '一、',
    ' \t',
    '\n',
    '1：',
    'remember this ',
    '记住',
    '的流程',
  ]
  const before = processorMs()
  for (const part of hostile)
    for (const head of ['', 'remember this procedure: ', '记住这个流程：', 'x\n'])
      for (const text of [head + part.repeat(Math.floor(16_000 / part.length)), part.repeat(4000) + two]) {
        findLesson(text)
        readPlainSkill(text)
      }
  expect(processorMs() - before).toBeLessThan(1000)
})
