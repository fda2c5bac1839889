// The same questions on every channel, through the whole fleet and the real SDKs: asked, answered, approved, denied and gone on with.
import { expect, test } from 'vitest'
import { playQuestions } from './questions-script.ts'
import { questionStages } from './questions-stage.ts'

test.concurrent.for(Object.entries(questionStages))('the questions on %s', { timeout: 120_000 }, async ([, open]) => {
  await using stage = await open()
  await playQuestions(stage)
  expect(await stage.transcript()).toContain('Which ferry')
})

// Discord tells apps the language of whoever presses, which is English on the simulated one.
const { telegram, feishu, web, console: terminal } = questionStages
test.concurrent.for(Object.entries({ telegram, feishu, web, console: terminal }))(
  'all of it is Chinese where people speak it: %s',
  { timeout: 120_000 },
  async ([, open]) => {
    await using stage = await open('zh')
    await playQuestions(stage)
    const shown = await stage.shown()
    expect(shown.join('\n')).toMatch(/计划里要放哪一班渡轮[^]*指南针买好了/)
    expect(shown.filter(isLatin)).toEqual([])
  },
)

/** Names and what cannot be said in another language; Ann gives hers as an answer. */
const names =
  /\bPOST \[?http:\S+|\b(?:Ann(?: Lee)?|Bob|Europe\/Berlin|http_request|telegram:\d+|feishu:ou_\w+|HTTP \d+|Flotilla|Ctrl-D|Tab|Redis)\b|\/(?:help|quit|questions)\b/g
const code = /```[^]*?```|`[^`]*`/g

const isLatin = (text: string): boolean => /[a-z]{2}/i.test(text.replaceAll(code, '').replaceAll(names, ''))
