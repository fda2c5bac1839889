// What the person types: whole messages, a pasted block with what was typed beside it as one, commands completed by the Tab key.
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { markPastes, splitPastes } from './pastes.ts'
import type { Output, PromptLine } from './drawing.ts'

export type KeyboardDeps = {
  /** What Tab completes, such as `/help`. */
  readonly completions: readonly string[]
  /** On a terminal: a block waits for Enter. */
  onPasted(text: string): void
  /** The block is not sent. */
  onDropped(): void
  onInterrupt(): void
  /** After each key. */
  onKey(): void
}

export type Keyboard = PromptLine & {
  /** Each message once Enter was pressed; ends with the input, Ctrl-D or `close`. */
  readonly messages: AsyncIterable<string>
  prompt(): void
  close(): void
}

type Input = NodeJS.ReadableStream & { setRawMode?(on: boolean): unknown }

export function createKeyboard(input: Input, output: Output, deps: KeyboardDeps): Keyboard {
  const terminal = output.isTTY === true
  const messages = new PassThrough({ objectMode: true, highWaterMark: 1000 })
  let block: { readonly text: string; readonly after: string } | undefined

  const pastes = splitPastes((text) => {
    block = { text: block ? `${block.text}\n${text}` : text, after: block?.after ?? lines.line }
    deps.onPasted(block.text)
  })
  // Readline turns off what a terminal does with keys by itself.
  Object.assign(pastes, { setRawMode: (on: boolean) => input.setRawMode?.(on) })
  const keys: Input = terminal ? input.pipe(pastes) : input
  const lines = createInterface({
    input: keys,
    output,
    terminal,
    prompt: terminal ? '> ' : '',
    completer: (typed: string) => [deps.completions.filter((one) => typed !== '' && one.startsWith(typed)), typed],
  })
  const drop = (): void => {
    if (!block) return
    block = undefined
    deps.onDropped()
  }
  lines.on('line', (line) => {
    messages.write(block ? join(line, block) : line)
    block = undefined
  })
  lines.on('close', () => messages.end())
  lines.on('SIGINT', () => (block ? drop() : deps.onInterrupt()))
  // Emitted by readline, after it has taken the key.
  keys.on('keypress', (_text: unknown, key: { readonly name?: string } | undefined) => {
    if (key?.name === 'escape') drop()
    deps.onKey()
  })
  if (terminal) output.write(markPastes.on)

  return {
    messages,
    prompt: () => lines.prompt(),
    redraw() {
      // The cursor is at a line's beginning: nothing above belongs to the prompt any more.
      Object.assign(lines, { prevRows: 0 })
      lines.prompt(true)
    },
    isTyping: () => lines.line !== '',
    rowsAbove: () => lines.getCursorPos().rows,
    close() {
      if (terminal) output.write(markPastes.off)
      lines.close()
      input.unpipe(pastes)
      input.pause()
    },
  }
}

/** What stood in the line before the paste comes before it, and else what was typed comes after it. */
function join(line: string, { text, after }: { readonly text: string; readonly after: string }): string {
  const parts = after !== '' && line.startsWith(after) ? [after, text, line.slice(after.length)] : [text, line]
  return parts.filter((part) => part.trim() !== '').join('\n')
}
