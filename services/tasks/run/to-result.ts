// The result of a task as people are given it. Pure.
const marked = /^\s{0,8}\[(ALL|LAST)\]\s{0,8}/i

/** As the model said it: the steps' results themselves, and what it added. */
export function toResult(said: string, results: readonly string[]): string {
  const [whole = '', which = ''] = marked.exec(said) ?? []
  if (which === '' || results.length === 0) return said
  const rest = said.slice(whole.length).trim()
  const work = which.toUpperCase() === 'ALL' ? results : results.slice(-1)
  return [...work, ...(rest === '' ? [] : [rest])].join('\n\n')
}
