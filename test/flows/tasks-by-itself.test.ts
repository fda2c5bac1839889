// A task that begins by itself, whole: a request goes deep, the model begins with a plan and a tool, and the work goes on as a task with that plan. What one
// turn can do is answered, whatever its answer looks like.
import { expect, test } from 'vitest'
import type { Tool } from '#shared/model/tool.ts'
import { planModel } from './planned-model.ts'
import { textPlaces } from './text-places.ts'

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const
const order = '请先读取代码，再分析性能热点，然后给出优化建议，每步停一下'
const plan = '计划：\n1. 读取核心模块代码\n2. 分析性能热点\n3. 给出优化建议\n\n我先读取代码。'
const tool: Tool = {
  name: 'look',
  description: 'Looks at the code.',
  parameters: { type: 'object' },
  effect: 'read',
  onCrash: 'rerun',
  run: async () => ({ text: 'There is nothing.', source: 'own' }),
}
const features = [{ name: 'code', tools: [tool] }]
const look = [{ name: 'look', arguments: '{}' }]

test.concurrent.each(places)('a plan of three steps becomes a task: %s', { timeout: 90_000 }, async (name) => {
  await using place = await textPlaces[name]({ features })
  const model = planModel(place.fleet.model)
  model.says(plan, look)
  model.answers('核心模块有三个。')
  await place.say(order)
  await place.hear('已开始，是任务 #1')
  await place.hear('3. 给出优化建议')
  await place.hear('核心模块有三个。')
  // The order's answer, and the first step: none for a plan.
  expect(model.asked()).toBe(2)
  expect(model.prompt()).toContain('第 1 步，共 3 步：读取核心模块代码')
  model.answers('缓存最慢。')
  await place.press('继续')
  await place.hear('缓存最慢。')
  model.answers('加一层缓存。')
  await place.press('继续')
  await place.hear('加一层缓存。')
  model.answers('[ALL]')
  await place.press('继续')
  await place.hear('任务 #1 · 已完成')
  expect(model.unplanned).toEqual([])
})

test('to explain in detail is answered, and a form it is not', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({ features })
  const model = planModel(place.fleet.model)
  model.says(plan, look)
  model.answers('三次握手是这样的：先发 SYN。')
  await place.say('详细解释一下三次握手')
  await place.hear('三次握手是这样的')
  await place.say('/tasks')
  await place.hear('还没有任务')
  expect(model.unplanned).toEqual([])
})
