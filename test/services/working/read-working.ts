// Reads WORKING.md back, written from seed 000 §4.2 and not from what prints it. Throws naming the line that it does not understand.
import type { WorkingDocument } from '#services/working/print-working.ts'

export function readWorking(text: string): WorkingDocument {
  const lines = text.split('\n')
  let at = 0
  const refuse = (): never => {
    throw new Error(`Line ${at}: ${lines[at - 1]}`)
  }
  const next = (): string => lines[at++] ?? ''
  const exactly = (line: string): void => void (next() === line || refuse())
  const after = (start: string): string => {
    const line = next()
    return line.startsWith(start) ? line.slice(start.length) : refuse()
  }
  const number = (start: string): number => Number(/^\d+$/.exec(after(start))?.[0] ?? refuse())
  const quoted = (written: string): string => {
    const [, inner] = /^"((?:[^"\\]|\\["\\])*)"$/u.exec(written) ?? []
    return inner === undefined ? refuse() : inner.replaceAll(/\\(["\\])/g, '$1')
  }
  const list = (name: string, toItem: (line: string, i: number) => string): string[] => {
    const head = next()
    if (head === `- ${name}: []`) return []
    if (head !== `- ${name}:`) return refuse()
    const items: string[] = []
    while (lines[at]?.startsWith('  ')) items.push(toItem(next().slice(2), items.length))
    return items.length > 0 ? items : refuse()
  }
  const numbered = (line: string, i: number): string =>
    line.startsWith(`${i + 1}. `) ? line.slice(`${i + 1}. `.length) : refuse()
  const dashed = (line: string): string => (line.startsWith('- ') ? quoted(line.slice(2)) : refuse())

  exactly('# WORKING')
  const heads = [
    '> 工作记忆 - 当前会话状态（自动管理）',
    '> Working memory - the state of this session (kept by itself)',
  ]
  if (!heads.includes(next())) refuse()
  exactly('')
  exactly('## Session')
  const session = {
    id: after('- id: '),
    started: after('- started: '),
    lastUpdate: after('- lastUpdate: '),
    messageCount: number('- messageCount: '),
  }
  exactly('')
  exactly('## Current Goal')
  const primary = quoted(after('- primary: '))
  const stack = list('stack', numbered)
  exactly('')
  exactly('## Context')
  const topic = quoted(after('- topic: '))
  const pendingQuestions = list('pendingQuestions', dashed)
  const recentFacts = list('recentFacts', dashed)
  exactly('')
  exactly('## Stats')
  const tokenUsage = number('- tokenUsage: ')
  const [, whole = '', tenth = ''] =
    at === lines.length ? ['', '0', '0'] : (/^(\d+)\.(\d)s$/.exec(after('- avgResponseTime: ')) ?? refuse())
  if (at < lines.length) refuse()
  const avgResponseTenths = Number(whole) * 10 + Number(tenth)
  return { session, primary, stack, topic, pendingQuestions, recentFacts, tokenUsage, avgResponseTenths }
}
