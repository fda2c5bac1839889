// The demo model's long answer: numbered paragraphs about its own project, as many as fit a number of tokens.
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { DemoLanguage } from './demo-turn.ts'

const paragraphs = {
  zh: [
    '一条消息到达后，先写进会话的信箱，再向平台确认。这样即使下一刻断电，它也不会丢失。',
    '路由器只按规则判断：这是寒暄、命令、提问还是任务，应当答得浅还是深。它从不调用模型。',
    '执行器领取会话的租约，把等待的消息一起读完，拼好上下文，再请模型回答；每完成一步就记一笔日志。',
    '如果某个进程突然被杀掉，租约到期后由另一个进程接手，已经完成的步骤不会再做一遍。',
    '回答先放进发件箱，再按顺序投递。平台支持去重时，每条回复恰好出现一次；不支持时，最多一次。',
    '你现在看到的文字是一小段一小段流式传来的，就像真正的模型那样，只是内容早已写好。',
  ],
  en: [
    'A message that arrives is first written to the mailbox of its conversation, and only then acknowledged. Even if the power fails a moment later, it is not lost.',
    'The router decides by rules alone: is this small talk, a command, a question or a task, and how deep should the answer go? It never calls a model.',
    'The executor claims the conversation, reads together all that is waiting, assembles the context and asks the model; every finished step goes into a journal.',
    'If a process is killed, another one takes over once the lease has run out, and no finished step is done again.',
    'Replies go to an outbox and are delivered in order: exactly once where the platform can tell duplicates, at most once where it cannot.',
    'The text that you are reading comes in small pieces, as from a real model, except that it was written beforehand.',
  ],
} as const

/** Up to `maxTokens`, at least one paragraph; `part` counts from 1 and goes into the heading. */
export function writeLongText(language: DemoLanguage, part: number, maxTokens: number): string {
  const lines = [
    language === 'zh' ? `**第 ${part} 部分：一条消息的旅程**` : `**Part ${part}: the journey of a message**`,
  ]
  let tokens = estimateTokens(lines[0] ?? '').tokens
  for (let number = 1; number <= 60; number++) {
    const line = `${number}. ${paragraphs[language][(number - 1) % paragraphs[language].length] ?? ''}`
    tokens += estimateTokens(line).tokens + 1
    if (number > 1 && tokens > maxTokens) break
    lines.push(line)
  }
  return lines.join('\n\n')
}

/** A paragraph that a text does not have yet; the first one when it has them all. */
export function moreText(language: DemoLanguage, text: string): string {
  const [first, ...others] = paragraphs[language]
  return [first, ...others].find((paragraph) => !text.includes(paragraph)) ?? first
}
