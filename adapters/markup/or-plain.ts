// A text that a renderer fails at is sent as it stands: one message must not keep those behind it waiting.

/** `render`, or `plain` where it throws. */
export function orPlain<T, More extends readonly unknown[]>(
  render: (markdown: string, ...more: More) => T,
  plain: (markdown: string) => T,
): (markdown: string, ...more: More) => T {
  return (markdown, ...more) => {
    try {
      return render(markdown, ...more)
    } catch {
      return plain(markdown)
    }
  }
}
