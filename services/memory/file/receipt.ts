// What became of a file that was applied: how much was done, and what was left alone.
import type { Language } from '#shared/chat/message.ts'
import type { Applied } from './apply.ts'

const mostNamed = 20

export function tellApplied(applied: Applied, language: Language): string {
  const { added, changed, dropped, stale, replaced, again, failed } = applied
  const name = (numbers: readonly number[]): string => nameAll(numbers, language)
  const isChinese = language === 'zh'
  const done = isChinese
    ? [
        added.length > 0 ? `新记 ${added.length} 条（${name(added)}）` : '',
        changed.length > 0 ? `改了 ${changed.length} 条（现在是${name(changed)}）` : '',
        dropped.length > 0 ? `忘掉 ${dropped.length} 条` : '',
      ]
    : [
        added.length > 0 ? `${added.length} new (${name(added)})` : '',
        changed.length > 0 ? `${changed.length} changed (now ${name(changed)})` : '',
        dropped.length > 0 ? `${dropped.length} forgotten` : '',
      ]
  const made = done.filter((one) => one !== '')
  const head =
    made.length === 0
      ? isChinese
        ? '什么都没有改。'
        : 'Nothing was changed.'
      : isChinese
        ? `已应用：${made.join('，')}。`
        : `Applied: ${made.join(', ')}.`
  const besides = isChinese
    ? [
        replaced.length > 0 ? `取代了${name(replaced)}。` : '',
        again.length > 0 ? `${name(again)}重新有效。` : '',
        stale.length > 0 ? `${name(stale)}在这之间被改过或忘掉了，我没有动。` : '',
        failed.length > 0 ? `${failed.length} 条没有记下：这里已经记满了，或者那条消息已被忘掉。` : '',
      ]
    : [
        replaced.length > 0 ? `What is new took the place of ${name(replaced)}.` : '',
        again.length > 0 ? `Valid again: ${name(again)}.` : '',
        stale.length > 0 ? `Changed or gone meanwhile, so I left it alone: ${name(stale)}.` : '',
        failed.length > 0 ? `Not kept, since there is no room or the message is forgotten: ${failed.length}.` : '',
      ]
  return [head, ...besides.filter((one) => one !== '')].join(isChinese ? '' : ' ')
}

function nameAll(numbers: readonly number[], language: Language): string {
  const shown = numbers.slice(0, mostNamed)
  const more = numbers.length > shown.length ? '…' : ''
  if (language === 'zh') return `第 ${shown.join('、')}${more} 条`
  return `${numbers.length === 1 ? 'number' : 'numbers'} ${shown.join(', ')}${more}`
}
