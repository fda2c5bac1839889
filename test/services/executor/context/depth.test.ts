// The depth table, word for word.
import { expect, it } from 'vitest'
import { depthDecision } from '#services/executor/context/depth.ts'

it('gives each depth its level, reason, limit, tools and checkpoints', () => {
  expect(depthDecision('light')).toEqual({
    level: 'light',
    reason: '社交礼节或显式简洁请求',
    maxTokens: 150,
    useTools: false,
    checkpoints: false,
  })
  expect(depthDecision('standard')).toEqual({
    level: 'standard',
    reason: '常规查询或任务',
    maxTokens: 800,
    useTools: true,
    checkpoints: false,
  })
  expect(depthDecision('deep')).toEqual({
    level: 'deep',
    reason: '复杂任务或显式详细请求',
    maxTokens: 2000,
    useTools: true,
    checkpoints: true,
  })
})
