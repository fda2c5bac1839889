// The rules of complexity, each alone, and that they never change type or depth.
import { describe, expect, it } from 'vitest'
import { createClassifier } from '#services/router/classify.ts'
import { defaultRouting, routingConfig } from '#services/router/patterns.ts'

const classify = createClassifier(defaultRouting)

describe('complexity', () => {
  it.each([
    '给我列出步骤',
    '先看日志，再改配置，然后重启',
    '请先读笔记，再算总数，最后给出结论',
    '先查资料，然后整理成表格，最后写总结',
    '分析并总结',
    '重构这个函数',
    '把数据迁移过去',
    '帮我做个表',
    '帮我搞定它',
    'first read it, then fix it, and finally test it',
    'refactor this',
    '搜索一下这个文件',
    '运行这段代码',
    'search for the file',
  ])('holds for %j', (text) => {
    expect(classify({ text }).complex).toBe(true)
  })

  it.each(['今天天气怎么样', '好的', '写一首诗', '搜索一下天气', 'read the news', 'runner', '先有鸡还是先有蛋'])(
    'does not hold for %j',
    (text) => {
      expect(classify({ text }).complex).toBe(false)
    },
  )

  it('counts characters, not code units, and holds only above the threshold', () => {
    expect(classify({ text: '好'.repeat(80) }).complex).toBe(false)
    expect(classify({ text: '好'.repeat(81) }).complex).toBe(true)
    expect(classify({ text: '😀'.repeat(80) }).complex).toBe(false)
  })

  it.each(['接下来我会检查日志', '这是第一步', '下一步要做什么？'])('holds after the reply %j', (previousReply) => {
    expect(classify({ text: '今天天气怎么样', previousReply }).complex).toBe(true)
  })

  it('leaves type and depth as they are', () => {
    const off = createClassifier(routingConfig.parse({ complexity_detector: { enabled: false } }))
    for (const text of ['什么是重构', '今天天气怎么样'.repeat(20), '列出迁移的步骤是什么']) {
      expect({ ...classify({ text }), complex: false }).toEqual(off({ text }))
    }
  })

  it('follows the configured thresholds', () => {
    const own = createClassifier(
      routingConfig.parse({ complexity_detector: { message_length_threshold: 5, multi_tool_threshold: 1 } }),
    )
    expect(own({ text: '一二三四五六' }).complex).toBe(true)
    expect(own({ text: '搜索' }).complex).toBe(true)
    expect(own({ text: '你好' }).complex).toBe(false)
  })
})
