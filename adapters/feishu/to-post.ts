// A text for chats that take no cards: bare words, line by line, with what the buttons would say below them.
import type { Shown } from './card.ts'

export function toPost({ text, buttons = [], language }: Shown): object {
  const labels = buttons.flat().map(({ label }) => `[${label}]`)
  const lines = [...text.split('\n'), ...(labels.length > 0 ? ['', labels.join(' ')] : [])]
  const content = lines.map((line) => [{ tag: 'text', text: line }])
  return { [language === 'zh' ? 'zh_cn' : 'en_us']: { title: '', content } }
}
