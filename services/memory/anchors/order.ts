// The command by its Chinese name, which no platform takes for a command.

const order = /^\s{0,9}[/／]锚点(?:[\s:：]{1,9}([^]*))?$/u

/** What stands behind it; undefined for any other message. */
export function findAnchorOrder(text: string): string | undefined {
  const found = order.exec(text)
  return found ? (found[1] ?? '').trim() : undefined
}
